import { wordPattern } from './word-pattern';

/** Letter by letter, as Lucene's LowerCaseFilter: a sigma at a word's end stays a plain one. */
export const lowerCase = (text: string): string =>
  Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('');

/** The tokens of Elasticsearch's standard analyzer: words in lower case, in their order. */
export const analyze = (text: string): readonly string[] =>
  Array.from(text.matchAll(wordPattern), ([word]) => lowerCase(word));

/** The words of a text for `textSearch: contains`: what white space separates. */
export const splitWords = (text: string): readonly string[] =>
  text.split(/\s+/u).filter((word) => word !== '');
