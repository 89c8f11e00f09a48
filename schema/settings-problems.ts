import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { settingsRoot, type SettingSchema } from './setting-schema';

/** What is wrong with one setting. Holds no value: it may be a secret. */
export interface SettingProblem {
  /** The path's names, such as `['proxy', 'whiteIndexList', '0']`; none for the whole. */
  readonly names: readonly string[];
  /** The names joined by dots. */
  readonly path: string;
  /** Continues a sentence that begins with the path: `must be <= 3600000`. */
  readonly problem: string;
}

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
  return [...problems.values()];
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
  const names = namesOf(error.instancePath);
  const path = names.join('.');
  const { keyword, message = 'is not valid' } = error;
  if (keyword === 'additionalProperties') return [unknownKey(names, error)];
  if (keyword === 'const') return [];
  const problem = SENTENCES[`${path} ${keyword}`] ?? SENTENCES[keyword] ?? message;
  return [{ names, path, problem }];
}

const SENTENCES: Readonly<Record<string, string>> = {
  'proxy.round anyOf':
    'must be 0, 1 to 999 seconds, or 1000 to 3600000 milliseconds in whole seconds',
  anyOf: 'must be one of: contains, tokens',
  pattern: 'holds characters that are not allowed',
};

/** Where the keys are names, one that is not known can only be one that is not allowed. */
function unknownKey(parent: readonly string[], { params }: ErrorObject): SettingProblem {
  const key = String((params as { readonly additionalProperty?: unknown }).additionalProperty);
  const isName = ['proxy.es.headers', 'tables'].includes(parent.join('.'));
  const names = [...parent, key];
  const problem = isName ? 'is not a valid name' : 'is not a setting';
  return { names, path: names.join('.'), problem };
}

/** From a JSON pointer. */
const namesOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
