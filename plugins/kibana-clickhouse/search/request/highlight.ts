import { contentParseError, unsupported } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';

const highlightKeys: readonly string[] = [
  'boundary_chars',
  'boundary_max_scan',
  'boundary_scanner',
  'boundary_scanner_locale',
  'encoder',
  'fields',
  'force_source',
  'fragment_offset',
  'fragment_size',
  'fragmenter',
  'highlight_filter',
  'highlight_query',
  'matched_fields',
  'max_analyzed_offset',
  'no_match_size',
  'number_of_fragments',
  'options',
  'order',
  'phrase_limit',
  'post_tags',
  'pre_tags',
  'require_field_match',
  'tags_schema',
  'type',
];

/**
 * Checks `highlight`, which Kibana's Discover sends with every search. Hits come without a
 * `highlight`: clients then show the value unmarked. `no_match_size` is refused, because with it the
 * text itself would be expected there.
 */
export function checkHighlight(value: JsonValue | undefined): void {
  if (value === undefined || !isJsonObject(value)) return;
  checkOptions(value);
  const fields = value['fields'];
  if (fields === undefined) return;
  for (const item of isJsonArray(fields) ? fields : [fields]) {
    if (!isJsonObject(item)) throw contentParseError('[highlight] failed to parse field [fields]');
    for (const options of Object.values(item)) if (isJsonObject(options)) checkOptions(options);
  }
}

function checkOptions(options: JsonObject): void {
  for (const [key, value] of Object.entries(options)) {
    if (!highlightKeys.includes(key)) throw contentParseError(`[highlight] unknown field [${key}]`);
    if (key === 'no_match_size' && Number(value) !== 0)
      throw unsupported('[no_match_size] in [highlight]');
  }
}
