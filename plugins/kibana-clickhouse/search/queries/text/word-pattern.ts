/*
 * What Elasticsearch's standard analyzer calls a word: Unicode's word boundaries (UAX #29) as Lucene's StandardTokenizer
 * (8.11) cuts them. One grammar is written twice, for ClickHouse's RE2 and for JavaScript, which name scripts differently.
 */

type Script = (name: string) => string;

/** Scripts whose letters stand together in a word, beyond the cased letters of all scripts. */
const scripts: readonly string[] = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Hangul',
  'Georgian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Ethiopic',
  'Tibetan',
  'Mongolian',
  'Cherokee',
];

/** Written without spaces between words: a run of them is one token. */
const complexScripts: readonly string[] = ['Thai', 'Lao', 'Khmer', 'Myanmar'];

/** The grammar in one spelling of scripts, code points, and what joins the first part of a word to nothing before it. */
function wordGrammar(
  script: Script,
  point: (hex: string) => string,
  leading: (joiner: string) => string,
): string {
  // combining marks, joiners and soft hyphens belong to what stands before them
  const extended = `[\\p{M}\\p{Cf}]*`;
  const letter = `[\\p{Lu}\\p{Ll}\\p{Lt}\\p{Nl}${scripts.map(script).join('')}]${extended}`;
  const digit = `[\\p{Nd}]${extended}`;
  const joiner = `[\\p{Pc}${point('202F')}]${extended}`;
  const midLetter = `[:.'${point('B7')}${point('387')}${point('5F4')}${point('2018')}${point('2019')}${point('2024')}${point('2027')}${point('FE13')}${point('FE52')}${point('FE55')}${point('FF07')}${point('FF0E')}${point('FF1A')}]${extended}`;
  const midDigit = `[,;.'${point('37E')}${point('589')}${point('60C')}${point('60D')}${point('66C')}${point('7F8')}${point('2018')}${point('2019')}${point('2024')}${point('2044')}${point('FE10')}${point('FE14')}${point('FE50')}${point('FE52')}${point('FE54')}${point('FF07')}${point('FF0C')}${point('FF0E')}${point('FF1B')}]${extended}`;
  const katakana = `[${script('Katakana')}${point('30FC')}${point('FF70')}]${extended}`;
  const digits = `${digit}(?:(?:(?:${joiner})*|${midDigit})${digit})*`;
  const letters = `${letter}(?:(?:(?:${joiner})*|${midLetter})${letter})*`;
  const part = `(?:${katakana}(?:(?:${joiner})*${katakana})*|(?:${digits}|${letters})+)`;
  const word = `${leading(joiner)}${part}(?:(?:${joiner})+${part})*(?:${joiner})*`;
  const complex = `(?:[${complexScripts.map(script).join('')}]${extended})+`;
  const single = `[${script('Han')}${script('Hiragana')}]${extended}`;
  const pictograph = `[${point('1F1E6')}-${point('1F1FF')}]{2}|[${point('231A')}-${point('23FF')}${point('2600')}-${point('27BF')}${point('1F300')}-${point('1F64F')}${point('1F680')}-${point('1FAFF')}](?:[${point('FE0F')}${point('1F3FB')}-${point('1F3FF')}]*${point('200D')}[${point('2600')}-${point('27BF')}${point('1F300')}-${point('1FAFF')}])*[${point('FE0F')}${point('1F3FB')}-${point('1F3FF')}]*`;
  return `${word}|${complex}|${single}|${pictograph}`;
}

/** Matches one word, as ClickHouse's `extractAll` takes it. */
export const clickHouseWordPattern = wordGrammar(
  (name) => `\\p{${name}}`,
  (hex) => `\\x{${hex}}`,
  (joiner) => `(?:${joiner})*`,
);

/** Matches one word in JavaScript. */
export const wordPattern = new RegExp(
  wordGrammar(
    (name) => `\\p{Script=${name}}`,
    (hex) => `\\u{${hex}}`,
    // where a run of joiners leads to no word, none of its later ones does: else each would look through all that follow
    (joiner) => `(?:(?=${joiner})(?<!${joiner})(?:${joiner})+)?`,
  ),
  'gu',
);
