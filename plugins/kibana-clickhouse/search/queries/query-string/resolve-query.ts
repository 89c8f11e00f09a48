import { failedQuery } from '../../../common/errors/catalogue';
import { fieldExists } from '../exists';
import { combineClauses } from './combine-clauses';
import { commaList } from './comma-list';
import type { FieldTest } from './field-test';
import { fuzzyTest } from './fuzziness';
import { type MatchTree, anyOfTrees } from './match-tree';
import { resolvePrefix } from './resolve-prefix';
import { resolveText } from './resolve-text';
import type { SearchSettings } from './search-settings';
import { QuerySyntaxError } from './syntax-error';
import type { Clauses, Pattern, Phrase, RangeOf, SyntaxNode, Words } from './syntax-tree';
import { type Target, leafOf, targetsOf, withoutPoints } from './targets';

/**
 * What a query asks of a table's fields, as Elasticsearch 7.17's QueryStringQueryParser builds it. Undefined where no word
 * is left to look for. Throws Elasticsearch's errors for values that do not fit, and QuerySyntaxError for what Lucene
 * finds only now.
 */
export function resolveQuery(node: SyntaxNode, settings: SearchSettings): MatchTree | undefined {
  switch (node.kind) {
    case 'clauses':
      return resolveClauses(node, settings);
    case 'boosted': {
      const query = resolveQuery(node.operand, settings);
      return query && { kind: 'boosted', query, boost: node.boost };
    }
    case 'words':
      return resolveWords(node, settings);
    case 'phrase':
      return resolvePhrase(node, settings);
    case 'prefix':
      return resolvePrefix(node.text, withoutPoints(targetsFor(node.field, settings)), settings);
    case 'wildcard':
      return resolveWildcard(node, settings);
    case 'regexp':
      return resolveRegexp(node, settings);
    case 'fuzzy':
      return eachTarget(
        node.field,
        settings,
        fuzzyTest(node.text, node.distance, settings.fuzzyWords),
      );
    case 'range':
      return resolveRange(node, settings);
  }
}

function resolveClauses(node: Clauses, settings: SearchSettings): MatchTree | undefined {
  const list = settings.ckibanaSyntax ? commaList(node) : undefined;
  if (list) return anyOfTrees(list.map((operand) => resolveQuery(operand, settings)));
  return combineClauses(node.clauses, settings.operator, (operand) =>
    resolveQuery(operand, settings),
  );
}

/** The fields of a name in the query, or the default ones. */
function targetsFor(
  named: string | undefined,
  { context, fields }: SearchSettings,
  quoteFieldSuffix = '',
): readonly Target[] {
  return targetsOf(context.table, named === undefined ? fields : [named], quoteFieldSuffix);
}

function eachTarget(
  named: string | undefined,
  settings: SearchSettings,
  test: FieldTest,
): MatchTree | undefined {
  const targets = withoutPoints(targetsFor(named, settings));
  return anyOfTrees(targets.map((target) => leafOf(target, test, settings)));
}

const existsField = '_exists_';

const existsTree = (name: string, { context }: SearchSettings): MatchTree => ({
  kind: 'leaf',
  field: name,
  test: { kind: 'exists' },
  condition: fieldExists(name, context.table),
});

function resolveWords(node: Words, settings: SearchSettings): MatchTree | undefined {
  const { text } = node;
  // default_field counts as a field that the query names, `fields` does not
  const field = node.field ?? settings.defaultField;
  if (node.field === existsField) return existsTree(text, settings);
  const range =
    field === undefined ? undefined : (comparison(text) ?? zonedDate(field, text, settings));
  if (range) return resolveRange({ kind: 'range', field, ...range }, settings);
  return resolveText(text, targetsFor(node.field, settings), settings);
}

type Ends = Omit<RangeOf, 'kind' | 'field'>;

/** `>5`, `>=5`, `<5`, `<=5`; of one sign alone there is nothing to compare with. */
function comparison(text: string): Ends | undefined {
  const [, sign, equal, bound] = /^([<>])(=?)(.+)$/su.exec(text) ?? [];
  if (sign === undefined || bound === undefined) return undefined;
  const included = equal === '=';
  return sign === '>'
    ? { from: bound, to: undefined, includeFrom: included, includeTo: true }
    : { from: undefined, to: bound, includeFrom: true, includeTo: included };
}

/** A word for a date field is a range where a time zone is given: nothing else would heed it. */
function zonedDate(
  name: string,
  text: string,
  { context, zone }: SearchSettings,
): Ends | undefined {
  const type = context.table.field(name)?.type;
  const isDate = type === 'date' || type === 'date_nanos';
  if (zone === undefined || !isDate || text.length < 2) return undefined;
  return { from: text, to: text, includeFrom: true, includeTo: true };
}

function resolvePhrase(node: Phrase, settings: SearchSettings): MatchTree | undefined {
  if (node.field === existsField) return existsTree(node.text, settings);
  const targets = targetsFor(node.field, settings, settings.quoteFieldSuffix);
  const phraseSlop = node.slop ?? settings.phraseSlop;
  return resolveText(node.text, targets, { ...settings, type: 'phrase', phraseSlop });
}

/** A quoted `*` is an open end, too. */
const boundOf = (text: string | undefined): string | undefined => (text === '*' ? undefined : text);

function resolveRange(node: RangeOf, settings: SearchSettings): MatchTree | undefined {
  const { includeFrom, includeTo } = node;
  const { zone } = settings;
  const [from, to] = [boundOf(node.from), boundOf(node.to)];
  return eachTarget(node.field, settings, {
    kind: 'range',
    from,
    to,
    includeFrom,
    includeTo,
    zone,
  });
}

/** `*` alone asks whether there is a field, or of all fields for all documents. */
function resolveWildcard(
  { field, text }: Pattern,
  settings: SearchSettings,
): MatchTree | undefined {
  const name = field ?? settings.defaultField;
  const targets = targetsFor(field, settings);
  if (text === '*') {
    if (name === '*') return { kind: 'all' };
    return name === undefined
      ? anyOfTrees(targets.map((target) => existsTree(target.name, settings)))
      : existsTree(name, settings);
  }
  if (targets.length > 0 && !settings.allowLeadingWildcard && /^[*?]/.test(text))
    throw new QuerySyntaxError("'*' or '?' not allowed as first character in WildcardQuery");
  return eachTarget(field, settings, { kind: 'wildcard', text });
}

/** `index.max_regex_length` of Elasticsearch, in UTF-16 units. */
const maximumRegexp = 1000;

function resolveRegexp({ field, text }: Pattern, settings: SearchSettings): MatchTree | undefined {
  if (text.length > maximumRegexp)
    throw failedQuery(
      `The length of regex [${String(text.length)}] used in the [query_string] has exceeded the allowed maximum of [${String(maximumRegexp)}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    );
  return eachTarget(field, settings, { kind: 'regexp', text });
}
