import { illegalArgument, parsingError } from '../../../common/errors/catalogue';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../common/json/json';
import { decimalFormat } from '../decimal-format';
import { option, textOption, tokenType, wrongType } from '../options';
import { parseField } from '../../request/parse-field';
import { type GapPolicy, parseGapPolicy } from './gap-policy';
import { inReduce } from './reduce-error';

/** The options that most pipelines share. */
export interface PipelineOptions {
  readonly paths: readonly string[];
  readonly path: string;
  readonly gapPolicy: GapPolicy;
  /** Prints numbers; undefined: they stand alone. */
  readonly print: ((value: number) => string) | undefined;
}

/** A pipeline as Elasticsearch reads it by hand: which options beside the shared ones are of which kind. */
interface HandReader {
  readonly type: string;
  readonly aggregation: string;
  /** Options that are read by the caller: a name and the tokens that it may be. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** `sibling`: by `BucketMetricsParser`, whose errors have other words; `named`: paths may be an object. */
  readonly kind?: 'sibling' | 'named';
}

/**
 * The options of a pipeline that Elasticsearch 7.17 reads token by token (`BucketMetricsParser` and its like). Throws its
 * errors: for a token where it expects another, for unknown names, for a missing `buckets_path`.
 */
export function readOptions(body: JsonObject, reader: HandReader): PipelineOptions {
  const { extra = {}, kind } = reader;
  const known: Readonly<Record<string, readonly string[]>> = {
    buckets_path: ['VALUE_STRING', 'START_ARRAY', ...(kind === 'named' ? ['START_OBJECT'] : [])],
    format: ['VALUE_STRING'],
    gap_policy: ['VALUE_STRING'],
    ...extra,
  };
  for (const [key, value] of Object.entries(body)) {
    const token = tokenType(value);
    if (known[key]?.includes(token) !== true) throw unexpected(token, key, reader);
  }
  const paths = pathsOf(body['buckets_path']);
  const [path] = paths;
  if (path === undefined && kind !== 'named') throw missingPath(reader);
  const gapPolicy = body['gap_policy'];
  return {
    paths,
    path: path ?? '',
    gapPolicy: typeof gapPolicy === 'string' ? parseGapPolicy(gapPolicy) : 'skip',
    print: printer(body['format']),
  };
}

function unexpected(token: string, key: string, { aggregation, kind }: HandReader): Error {
  if (kind === 'sibling')
    return parsingError(`Unexpected token ${token} [${key}] in [${aggregation}]`);
  const isKnown = ['VALUE_STRING', 'START_ARRAY', ...(kind === 'named' ? ['START_OBJECT'] : [])];
  return isKnown.includes(token)
    ? parsingError(`Unknown key for a ${token} in [${aggregation}]: [${key}].`)
    : parsingError(`Unexpected token ${token} in [${aggregation}].`);
}

function missingPath({ type, aggregation, kind }: HandReader): Error {
  const what = kind === 'sibling' ? 'aggregation' : `${type} aggregation`;
  return parsingError(`Missing required field [buckets_path] for ${what} [${aggregation}]`);
}

const pathsOf = (value: JsonValue | undefined): readonly string[] =>
  (isJsonArray(value) ? value : [value]).filter((path) => typeof path === 'string');

function printer(format: JsonValue | undefined): PipelineOptions['print'] {
  if (typeof format !== 'string') return undefined;
  return inReduce(() => decimalFormat(format)).print;
}

/** The same of a pipeline that Elasticsearch reads by declared fields; their names are checked by the caller. */
export function declaredOptions(
  body: JsonObject,
  type: string,
  lists: 'lists' | 'texts' = 'texts',
): PipelineOptions {
  const value = option(body, 'buckets_path');
  if (value === undefined) throw illegalArgument('Required [buckets_path]');
  if (lists === 'lists' && isJsonArray(value)) {
    const paths = pathsOf(value);
    return { paths, path: paths[0] ?? '', ...declaredTexts(body, type) };
  }
  if (typeof value !== 'string') throw wrongType(type, 'buckets_path', value);
  return { paths: [value], path: value, ...declaredTexts(body, type) };
}

/** `format` and `gap_policy` of such a pipeline. */
export function declaredTexts(
  body: JsonObject,
  type: string,
): Pick<PipelineOptions, 'gapPolicy' | 'print'> {
  const policy = textOption(body, 'gap_policy', type);
  return {
    gapPolicy:
      policy === undefined ? 'skip' : parseField(type, 'gap_policy', () => parseGapPolicy(policy)),
    print: printer(textOption(body, 'format', type)),
  };
}

/** Throws Elasticsearch's error for an option that must be given. */
export function requireOptions(body: JsonObject, names: readonly string[]): void {
  const absent = names.filter((name) => option(body, name) === undefined);
  if (absent.length > 0) throw illegalArgument(`Required [${absent.join(', ')}]`);
}
