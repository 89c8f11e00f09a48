/**
 * How the text of a parameter is read. `text`: as it is. `names`: separated by commas, white space
 * around them aside; empty text: none. `headers`: `name:value` pairs separated by commas (`\,` and
 * `\\` stand for a comma and a backslash in them), or a JSON object.
 */
export type ParameterKind = 'boolean' | 'headers' | 'integer' | 'names' | 'text';

/** One parameter in the query string, and the setting that it becomes. */
export interface UpdateParameter {
  readonly name: string;
  readonly kind: ParameterKind;
  /** The setting's path. */
  readonly setting: readonly string[];
}

/** One update endpoint of the specification: `POST`, no body, every parameter required. */
export interface ConfigUpdate {
  readonly path: string;
  readonly parameters: readonly UpdateParameter[];
}

const parameter = (name: string, kind: ParameterKind, setting: string): UpdateParameter => ({
  name,
  kind,
  setting: setting.split('.'),
});

const update = (name: string, ...parameters: readonly UpdateParameter[]): ConfigUpdate => ({
  path: `/config/${name}`,
  parameters,
});

/** The update endpoints: data alone, because the plugin server reads it with the endpoint table. */
export const CONFIG_UPDATES: readonly ConfigUpdate[] = [
  update(
    'updateCk',
    parameter('url', 'text', 'proxy.ck.url'),
    parameter('user', 'text', 'proxy.ck.user'),
    parameter('pass', 'text', 'proxy.ck.pass'),
    parameter('defaultCkDatabase', 'text', 'proxy.ck.defaultCkDatabase'),
  ),
  update(
    'updateEs',
    parameter('host', 'text', 'proxy.es.host'),
    parameter('headers', 'headers', 'proxy.es.headers'),
  ),
  update('updateWhiteIndexList', parameter('list', 'names', 'proxy.whiteIndexList')),
  update('updateBlackIndexList', parameter('list', 'names', 'proxy.blackIndexList')),
  update('updateSampleIndexList', parameter('list', 'names', 'query.sampleIndexPatterns')),
  update(
    'updateSampleCountMaxThreshold',
    parameter('sampleCountMaxThreshold', 'integer', 'query.sampleCountMaxThreshold'),
  ),
  update('updateUseCache', parameter('useCache', 'boolean', 'query.useCache')),
  update('updateMaxResultRow', parameter('maxResultRow', 'integer', 'query.maxResultRow')),
  update(
    'updateRoundAbleMinPeriod',
    parameter('roundAbleMinPeriod', 'integer', 'proxy.roundAbleMinPeriod'),
  ),
  update('updateRound', parameter('round', 'integer', 'proxy.round')),
  update('updateMaxTimeRange', parameter('maxTimeRange', 'integer', 'proxy.maxTimeRange')),
  update(
    'updateEnableMonitoring',
    parameter('enableMonitoring', 'boolean', 'proxy.enableMonitoring'),
  ),
  update(
    'updateMsearchThreadPoolCoreSize',
    parameter('msearchThreadPoolCoreSize', 'integer', 'threadPool.msearchProperty.coreSize'),
  ),
  update(
    'updateDefaultTimeField',
    parameter('defaultTimeFieldName', 'text', 'proxy.defaultTimeFieldName'),
  ),
];
