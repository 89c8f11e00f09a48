import { contentParseError, unsupported } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import type { ParseQuery, QueryNode } from '../queries/definition';
import { parseField } from './parse-field';
import { toBoolean, toInteger, toStrings } from './coerce';

/** How the matches in one field are shown. */
export interface HighlightOptions {
  readonly preTag: string;
  readonly postTag: string;
  /** UTF-16 units that a fragment may have, unless a sentence has more. */
  readonly fragmentSize: number;
  /** 0: one for each value, whole. */
  readonly numberOfFragments: number;
  /** Where fragments begin and end. */
  readonly scanner: 'sentence' | 'word';
  readonly byScore: boolean;
  /** Whether only those parts of the query count that name the field. */
  readonly requireFieldMatch: boolean;
  readonly escapesHtml: boolean;
  /** Whose matches are shown; absent: those of the search. */
  readonly query?: QueryNode;
}

/** One entry of `highlight.fields`: options for the fields that a name or pattern means. */
export interface HighlightSelector {
  readonly pattern: string;
  readonly options: HighlightOptions;
}

type Draft = { -readonly [K in keyof HighlightOptions]: HighlightOptions[K] };

const defaults: HighlightOptions = {
  preTag: '<em>',
  postTag: '</em>',
  fragmentSize: 100,
  numberOfFragments: 5,
  scanner: 'sentence',
  byScore: false,
  requireFieldMatch: true,
  escapesHtml: false,
};

/**
 * Reads `highlight` (Elasticsearch 7.17 HighlightBuilder): which fields show the words they were found by, and how. Refuses
 * highlighters besides `unified`, and what would show a field without a match.
 */
export function parseHighlight(
  value: JsonValue | undefined,
  parseQuery: ParseQuery,
): readonly HighlightSelector[] {
  if (value === undefined || !isJsonObject(value)) return [];
  const common = readOptions(value, defaults, parseQuery);
  const { fields } = value;
  if (fields === undefined) return [];
  return (isJsonArray(fields) ? fields : [fields]).flatMap((item) => {
    if (!isJsonObject(item)) throw contentParseError('[highlight] failed to parse field [fields]');
    return Object.entries(item).map(([pattern, own]) => ({
      pattern,
      options: isJsonObject(own)
        ? ofField(pattern, () => readOptions(own, common, parseQuery))
        : common,
    }));
  });
}

const ofField = <T>(name: string, parse: () => T): T =>
  parseField('highlight', 'fields', () => parseField('fields', name, parse));

function readOptions(
  given: JsonObject,
  inherited: HighlightOptions,
  parseQuery: ParseQuery,
): HighlightOptions {
  const draft: Draft = { ...inherited };
  const [name, known] =
    inherited === defaults ? ['highlight', wholeReaders] : ['highlight_field', readers];
  for (const [key, value] of Object.entries(given)) {
    if (key === 'highlight_query') draft.query = parseQuery(value);
    else readOption(draft, [key, value], { name, known });
  }
  return draft;
}

interface Options {
  /** As Elasticsearch's errors have it. */
  readonly name: string;
  readonly known: Readonly<Record<string, Reader>>;
}

function readOption(
  draft: Draft,
  [key, value]: readonly [string, JsonValue],
  { name, known }: Options,
): void {
  const read = known[key];
  if (!read) throw contentParseError(`[${name}] unknown field [${key}]`);
  read(draft, value, key);
}

type Reader = (draft: Draft, value: JsonValue, key: string) => void;

/** Options of other highlighters than `unified`, which takes no notice of them. */
const ignored: Reader = () => undefined;

/** Refuses all values but some. */
const only =
  (...values: readonly JsonValue[]): Reader =>
  (_, value, key) => {
    if (!values.includes(value))
      throw unsupported(`[${key}] [${JSON.stringify(value)}] in [highlight]`);
  };

const readers: Readonly<Record<string, Reader>> = {
  boundary_chars: ignored,
  boundary_max_scan: ignored,
  boundary_scanner: (draft, value, key) => {
    if (value !== 'sentence' && value !== 'word') {
      only()(draft, value, key);
      return;
    }
    draft.scanner = value;
  },
  boundary_scanner_locale: ignored,
  force_source: ignored,
  fragment_offset: ignored,
  fragment_size: (draft, value, key) => {
    draft.fragmentSize = toInteger(value, key);
  },
  fragmenter: ignored,
  highlight_filter: ignored,
  matched_fields: only(),
  max_analyzed_offset: ignored,
  no_match_size: only(0, '0'),
  number_of_fragments: (draft, value, key) => {
    draft.numberOfFragments = toInteger(value, key);
  },
  options: ignored,
  order: (draft, value, key) => {
    only('none', 'score')(draft, value, key);
    draft.byScore = value === 'score';
  },
  phrase_limit: ignored,
  post_tags: (draft, value, key) => {
    draft.postTag = toStrings(value, key)[0] ?? defaults.postTag;
  },
  pre_tags: (draft, value, key) => {
    draft.preTag = toStrings(value, key)[0] ?? defaults.preTag;
  },
  require_field_match: (draft, value, key) => {
    draft.requireFieldMatch = toBoolean(value, key);
  },
  type: only('unified'),
};

/** Those that hold for all fields alike, too. */
const wholeReaders: Readonly<Record<string, Reader>> = {
  ...readers,
  encoder: (draft, value, key) => {
    only('default', 'html')(draft, value, key);
    draft.escapesHtml = value === 'html';
  },
  fields: ignored,
  tags_schema: only('default'),
};
