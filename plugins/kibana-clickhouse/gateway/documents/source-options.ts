import { booleanParameter } from '../../search/request/coerce';
import { storedFields } from '../../search/request/stored-fields';
import { integerParameter } from '../../search/request/coerce';
import { illegalArgument, versionConflict } from '../../common/errors/catalogue';
import { commonParameters } from '../../search/request/url-parameters';

/** Parameters that say what of `_source` is shown. */
const sourceParameters: readonly string[] = [
  '_source',
  '_source_exclude',
  '_source_excludes',
  '_source_include',
  '_source_includes',
];

/** Parameters of `GET /{index}/_doc/{id}` and `_source/{id}`. */
export const documentParameters: readonly string[] = [
  ...commonParameters,
  ...sourceParameters,
  'force_synthetic_source',
  'preference',
  'realtime',
  'refresh',
  'routing',
  'stored_fields',
  'version',
  'version_type',
];

type Parameters = ReadonlyMap<string, string>;

/** The query string's `_source*` parameters alone. */
export const sourceOptions = (query: Parameters): Parameters =>
  new Map([...query].filter(([name]) => sourceParameters.includes(name)));

/** Whether `_source` is shown: `stored_fields` turns it off unless it names it. Columns are no stored fields. */
export function showsSource(query: Parameters): boolean {
  const stored = storedFields(undefined, query.get('stored_fields'));
  const asked = [...sourceOptions(query)].some(([, text]) => text !== 'false');
  return stored === undefined || stored.includes('_source') || asked;
}

const versionTypes: readonly string[] = ['internal', 'external', 'external_gt', 'external_gte'];

/** Throws 409 when the request wants another version of a document than 1, which all have. */
export function checkVersion(query: Parameters, index: string, id: string): void {
  for (const name of ['realtime', 'refresh']) booleanParameter(query.get(name) ?? 'true');
  const type = query.get('version_type') ?? 'internal';
  if (!versionTypes.includes(type)) throw illegalArgument(`No version type match [${type}]`);
  const text = query.get('version');
  if (text === undefined) return;
  const version = integerParameter('version', text);
  if (version !== 1) throw versionConflict({ index, id, version });
}
