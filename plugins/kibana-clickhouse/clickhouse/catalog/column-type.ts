/** A ClickHouse type as a tree: `Map(String, Array(UInt8))` is a name with two arguments. */
export interface ColumnType {
  /** `String`, `DateTime64`, `Array`; Nullable and LowCardinality are flags of what they wrap. */
  readonly name: string;
  readonly nullable: boolean;
  readonly lowCardinality: boolean;
  /** Types inside: of Array one, of Map two, of Tuple and Nested as many as it has elements. */
  readonly inner: readonly ColumnType[];
  /** Element names of Tuple and Nested, in the order of `inner`; empty when they have none. */
  readonly names: readonly string[];
  /** Arguments that are no types: `3` and `'UTC'` of `DateTime64(3, 'UTC')`, as written. */
  readonly literals: readonly string[];
  /** The whole type as ClickHouse writes it. */
  readonly text: string;
}

/**
 * Parses a type as `system.columns` writes it, nested arbitrarily. Never throws: a type that this
 * version does not know is a tree all the same, and text that is no type at all is its own name.
 */
export function parseColumnType(text: string): ColumnType {
  const trimmed = text.trim();
  const open = trimmed.indexOf('(');
  const plain = { ...leaf(trimmed), text: trimmed };
  if (open <= 0 || !trimmed.endsWith(')')) return plain;
  const name = trimmed.slice(0, open).trim();
  const parts = splitArguments(trimmed.slice(open + 1, -1));
  if (parts === undefined) return plain;
  const [only] = parts;
  if (name === 'Nullable' && only !== undefined)
    return { ...parseColumnType(only), nullable: true, text: trimmed };
  if (name === 'LowCardinality' && only !== undefined)
    return { ...parseColumnType(only), lowCardinality: true, text: trimmed };
  return { ...leaf(name), ...readArguments(name, parts), text: trimmed };
}

/** A type without its outer Nullable and LowCardinality, as a parameter of it is declared. */
export function bareType(type: ColumnType): ColumnType {
  if (!type.nullable && !type.lowCardinality) return type;
  let text = type.text;
  for (let match = wrapper.exec(text); match !== null; match = wrapper.exec(text))
    text = match[1] ?? '';
  return { ...type, nullable: false, lowCardinality: false, text };
}

/** An array of values of a type. */
export const arrayOf = (element: ColumnType): ColumnType => ({
  ...leaf('Array'),
  inner: [element],
  text: `Array(${element.text})`,
});

/** The type with NULL among its values; arrays, which have none, and types that have it already stay. */
export const nullableOf = (type: ColumnType): ColumnType =>
  type.nullable || type.name === 'Array'
    ? type
    : { ...type, nullable: true, text: `Nullable(${type.text})` };

/** Types whose values are of several types themselves. */
export const isMixedType = ({ name }: ColumnType): boolean =>
  name === 'Variant' || name === 'Dynamic';

/** Types that values were seen to have, by path. */
export type TypesByPath = ReadonlyMap<string, readonly ColumnType[]>;

/** What stands inside of all Arrays of a type, and how many there are. */
export interface InnermostElement {
  readonly depth: number;
  readonly element: ColumnType;
}

/** Takes the Arrays off a type. */
export function innermostElement(type: ColumnType): InnermostElement {
  const [inner] = type.inner;
  if (type.name !== 'Array' || inner === undefined) return { depth: 0, element: type };
  const within = innermostElement(inner);
  return { depth: within.depth + 1, element: within.element };
}

const wrapper = /^(?:Nullable|LowCardinality)\((.*)\)$/s;

const leaf = (name: string): Omit<ColumnType, 'text'> => ({
  name,
  nullable: false,
  lowCardinality: false,
  inner: [],
  names: [],
  literals: [],
});

interface Arguments {
  readonly inner: readonly ColumnType[];
  readonly names: readonly string[];
  readonly literals: readonly string[];
}

function readArguments(name: string, parts: readonly string[]): Arguments {
  const inner: ColumnType[] = [];
  const names: string[] = [];
  const literals: string[] = [];
  const functionAt = name.endsWith('AggregateFunction')
    ? parts.findIndex((part) => !isLiteral(part))
    : -1;
  for (const [position, part] of parts.entries()) {
    if (position === functionAt || isLiteral(part)) literals.push(part);
    else {
      const element = splitElement(part);
      if (element.name !== undefined) names.push(element.name);
      inner.push(parseColumnType(element.type));
    }
  }
  return { inner, names, literals };
}

/** Numbers, strings (`'a' = 1` of an Enum too), `key=value` options and JSON's SKIP. */
const isLiteral = (part: string): boolean =>
  /^(?:'|[-+]?\d|[A-Za-z_]\w*\s*=|SKIP\s)/.test(part) || part === '';

interface Element {
  readonly name?: string;
  readonly type: string;
}

/** `a UInt8` or `` `a b` UInt8 `` into name and type; a type alone has no name. */
function splitElement(part: string): Element {
  const quoted = /^([`"])((?:\\.|(?!\1)[^\\])*)\1\s+(\S.*)$/s.exec(part);
  if (quoted) return { name: unescape(quoted[2] ?? ''), type: quoted[3] ?? '' };
  const plain = /^([^\s('`"]+)\s+(\S.*)$/s.exec(part);
  return plain ? { name: plain[1] ?? '', type: plain[2] ?? '' } : { type: part };
}

const controls: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
};

const unescape = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, character: string) => controls[character] ?? character);

/**
 * The values that an Enum declares: `'a' = 1, 'b' = 2` gives `a` and `b`.
 */
export const enumValues = (type: ColumnType): readonly string[] =>
  type.literals.flatMap((entry) => {
    const match = /^'((?:\\.|''|[^'\\])*)'/s.exec(entry);
    return match ? [unescape((match[1] ?? '').replaceAll("''", "\\'"))] : [];
  });

/** Splits at the commas of the outermost level; undefined when brackets or quotes do not close. */
function splitArguments(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [token, at] of tokens(text)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    } else if (token !== ',') return undefined;
    if (depth < 0) return undefined;
  }
  if (depth !== 0) return undefined;
  const last = text.slice(start).trim();
  return last === '' && parts.length === 0 ? [] : [...parts, last];
}

/** Brackets and commas outside of quotes with their positions; a quote that does not close as itself. */
function tokens(text: string): readonly (readonly [string, number])[] {
  const found = text.matchAll(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\])*"|[(),'`"]/gs);
  return [...found].flatMap((match) =>
    match[0].length === 1 ? [[match[0], match.index] as const] : [],
  );
}
