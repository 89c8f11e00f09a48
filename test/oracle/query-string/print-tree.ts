import { isAlwaysFalse } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import type { Field } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import { analyze, lowerCase } from '../../../plugins/kibana-clickhouse/search/queries/text/analyze';
import { searchedFields } from '../../../plugins/kibana-clickhouse/search/queries/text/searched-fields';
import type { FieldTest } from '../../../plugins/kibana-clickhouse/search/queries/query-string/field-test';
import type {
  BooleanTree,
  Leaf,
  MatchTree,
  Occur,
} from '../../../plugins/kibana-clickhouse/search/queries/query-string/match-tree';
import { table } from './table';

type PhraseTest = Extract<FieldTest, { readonly kind: 'phrase' | 'phrase_prefix' }>;

/** Whether a text of the tree holds signs that its print has, too: `comparable` cannot read it then. */
export function isAmbiguous(tree: MatchTree): boolean {
  switch (tree.kind) {
    case 'boolean':
      return tree.clauses.some(({ query }) => isAmbiguous(query));
    case 'any':
      return tree.queries.some(isAmbiguous);
    case 'boosted':
      return isAmbiguous(tree.query);
    case 'leaf':
      return 'text' in tree.test && /[()|]/.test(tree.test.text);
    default:
      return false;
  }
}

/** What nothing matches, whatever its reason. */
const nothing = 'NOTHING';

const prefixes: Readonly<Record<Occur, string>> = {
  must: '+',
  should: '',
  must_not: '-',
  filter: '#',
};

/** A query's tree as Lucene's `toString` writes it, for texts that are searched by their tokens. */
export function printTree(tree: MatchTree | undefined): string {
  if (tree === undefined) return nothing;
  switch (tree.kind) {
    case 'all':
      return '*:*';
    case 'none':
      return nothing;
    case 'leaf':
      return isAlwaysFalse(tree.condition) ? nothing : printLeaf(tree);
    case 'boosted':
      return `(${printTree(tree.query)})^${printFloat(tree.boost)}`;
    case 'any':
      return `(${tree.queries.map(inner).join(' | ')})`;
    case 'boolean':
      return printBoolean(tree);
  }
}

const inner = (tree: MatchTree): string =>
  tree.kind === 'boolean' && tree.minimum === 0 ? `(${printTree(tree)})` : printTree(tree);

function printBoolean({ clauses, minimum }: BooleanTree): string {
  const text = clauses.map(({ occur, query }) => prefixes[occur] + inner(query)).join(' ');
  return minimum > 0 ? `(${text})~${String(minimum)}` : text;
}

const printFloat = (value: number): string =>
  Number.isInteger(value) ? `${String(value)}.0` : String(value);

function printLeaf(leaf: Leaf): string {
  const { field: name, test } = leaf;
  if (test.kind === 'exists') return printExists(name);
  const field = table.field(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  // a keyword goes by two names in the product
  if (!table.fields.has(name)) return printLeaf({ ...leaf, field: name.replace(/\.keyword$/, '') });
  if (test.kind === 'range') return printRange(field, test);
  if (test.kind === 'phrase' || test.kind === 'phrase_prefix') return printPhrase(field, test);
  if (test.kind === 'term') return printTerm(field, test.text);
  const text = normalized(field, test.text);
  if (test.kind === 'fuzzy') return `${name}:${text}~${String(test.edits)}`;
  if (test.kind === 'regexp') return `${name}:/${test.text}/`;
  return `${name}:${text}${test.kind === 'wildcard' ? '' : '*'}`;
}

const normalized = ({ type }: Field, text: string): string =>
  type === 'text' ? lowerCase(text) : text;

const printTerm = (field: Field, text: string): string =>
  field.type === 'long'
    ? printNumbers(field, { from: text, to: text, includeFrom: true, includeTo: true })
    : `${field.name}:${text}`;

type Range = Extract<FieldTest, { readonly kind: 'range' }>;

function printRange(field: Field, range: Range): string {
  if (field.type === 'long') return printNumbers(field, range);
  const { from = '*', to = '*', includeFrom, includeTo } = range;
  const ends = `${normalized(field, from)} TO ${normalized(field, to)}`;
  return `${field.name}:${includeFrom ? '[' : '{'}${ends}${includeTo ? ']' : '}'}`;
}

function printExists(pattern: string): string {
  const names = searchedFields(table, [pattern]).map(({ name }) => `EXISTS[${name}]`);
  return names.length === 0 ? nothing : names.sort().join(' ');
}

function printPhrase({ name }: Field, { kind, text, slop }: PhraseTest): string {
  const words = analyze(text);
  const end = kind === 'phrase_prefix' ? '*' : '';
  if (words.length < 2 && end === '') return `${name}:${words.join('')}`;
  return `${name}:"${words.join(' ')}${end}"${slop > 0 ? `~${String(slop)}` : ''}`;
}

const integerOf = (text: string): bigint => BigInt(Math.trunc(Number(text)));

function printNumbers(
  { name }: Field,
  { from, to, includeFrom, includeTo }: Omit<Range, 'kind'>,
): string {
  const least = from === undefined ? -(2n ** 63n) : integerOf(from) + (includeFrom ? 0n : 1n);
  const most = to === undefined ? 2n ** 63n - 1n : integerOf(to) - (includeTo ? 0n : 1n);
  return least > most ? nothing : `${name}:[${String(least)} TO ${String(most)}]`;
}

/** Elasticsearch's print in the same words: any reason for nothing, existence by name, `|` in the order of the alphabet. */
export function comparable(text: string): string {
  if (text === '') return nothing;
  const plain = text
    .replaceAll(/MatchNoDocsQuery\("(?:[^"]|"(?!\)))*"\)/g, nothing)
    .replaceAll(
      /ConstantScore\(((?:\w+FieldExistsQuery \[field=[\w.]+\] ?)+)\)/g,
      (_, list: string) =>
        Array.from(list.matchAll(/\[field=([\w.]+)\]/g), ([, name]) => `EXISTS[${name ?? ''}]`)
          .sort()
          .join(' '),
    )
    // no alternative is left
    .replaceAll(/(?<=^|[ (+-])\(\)(?:~[\d.]+)?/g, nothing)
    // a number has no terms that begin so
    .replaceAll(/\bl:[^ |()]*\*/g, nothing)
    // no number lies in it
    .replaceAll(/\w+:\[(-?\d+) TO (-?\d+)\]/g, (range, from: string, to: string) =>
      BigInt(from) > BigInt(to) ? nothing : range,
    );
  return sortAlternatives(
    plain
      // words over fields with one analyzer are any of these
      .replaceAll(/blended\(terms:\[([^\]]*)\]\)/g, (_, list: string) => {
        const terms = list.split(', ');
        return terms.length > 1 ? `(${terms.join(' | ')})` : list;
      })
      // how the scores of alternatives are joined
      .replaceAll(')~1.0', ')'),
  );
}

/** Sorts what stands between `|` within every pair of parentheses; alternatives within alternatives are one list. */
function sortAlternatives(text: string): string {
  const open: string[][] = [['']];
  const lists = new Map<string, readonly string[]>();
  for (const part of text.split(/([()]| \| )/)) {
    const level = open.at(-1) ?? [];
    if (part === '(') open.push(['']);
    else if (part === ' | ') level.push('');
    else if (part === ')' && open.length > 1) {
      open.pop();
      const flat = level.length > 1 ? level.flatMap((one) => lists.get(one) ?? [one]) : level;
      const sorted = [...new Set(flat)].sort();
      const printed = `(${sorted.join(' | ')})`;
      if (level.length > 1) lists.set(printed, sorted);
      const outer = open.at(-1) ?? [];
      outer.push((outer.pop() ?? '') + printed);
    } else level.push((level.pop() ?? '') + part);
  }
  return open.map((level) => level.join(' | ')).join('(');
}
