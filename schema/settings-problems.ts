import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { settingsRoot, type SettingSchema } from './setting-schema';

/** What is wrong with one setting. Holds no value: it may be a secret. */
export interface SettingProblem {
  /** Dotted path, such as `proxy.whiteIndexList.0`; `''` for the whole. */
  readonly path: string;
  /** Continues a sentence that begins with the path: `must be <= 3600000`. */
  readonly problem: string;
}

/** More problems than these are not listed. */
const MAX_PROBLEMS = 20;

let validate: ValidateFunction | undefined;

/**
 * What is wrong with a part of the settings; empty when nothing is. Every group and field may be
 * absent, and none may be null. The validator is made on first use.
 */
export function settingsProblems(settings: unknown): readonly SettingProblem[] {
  validate ??= new Ajv({ allErrors: true }).compile(partial(settingsRoot));
  if (validate(settings)) return [];
  const errors = validate.errors ?? [];
  const problems = new Map(
    errors.flatMap((error) => describe(error)).map((one) => [one.path, one]),
  );
  return [...problems.values()].slice(0, MAX_PROBLEMS);
}

/** The same schema without required fields. */
const partial = (schema: SettingSchema): Readonly<Record<string, unknown>> =>
  schema.properties
    ? {
        ...schema,
        required: [],
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([name, field]) => [name, partial(field)]),
        ),
      }
    : { ...schema };

/** The last word on a path counts: Ajv names the failed parts of a choice before the choice itself. */
function describe(error: ErrorObject): readonly SettingProblem[] {
  const path = pathOf(error.instancePath);
  const { keyword, message = 'is not valid' } = error;
  if (keyword === 'additionalProperties') return [unknownKey(path, error)];
  if (keyword === 'const') return [];
  return [{ path, problem: SENTENCES[`${path} ${keyword}`] ?? SENTENCES[keyword] ?? message }];
}

const SENTENCES: Readonly<Record<string, string>> = {
  'proxy.round anyOf':
    'must be 0, 1 to 999 seconds, or 1000 to 3600000 milliseconds in whole seconds',
  anyOf: 'must be one of: contains, tokens',
  pattern: 'holds characters that are not allowed',
};

function unknownKey(path: string, { params }: ErrorObject): SettingProblem {
  const key = String((params as { readonly additionalProperty?: unknown }).additionalProperty);
  const full = path === '' ? key : `${path}.${key}`;
  const isName = path === 'proxy.es.headers' || path === 'tables';
  return { path: full, problem: isName ? 'is not a valid name' : 'is not a setting' };
}

/** From a JSON pointer. */
const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
