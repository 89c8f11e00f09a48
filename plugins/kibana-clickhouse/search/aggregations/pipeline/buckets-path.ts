import { bucketsPathError } from '../../../common/errors/catalogue';

/** One step of a buckets path: the name of an aggregation and what stands in brackets, or behind the last dot. */
interface PathElement {
  readonly name: string;
  readonly key?: string;
}

/**
 * The steps of a buckets path: `a>b.avg`, `a['key']>_count`, `p[99.9]` (Elasticsearch 7.17 `AggregationPath.parse`: a dot
 * parts only the last of them). Throws for a bracket that does not close or holds nothing.
 */
export function parsePath(path: string): readonly PathElement[] {
  const elements = path.split('>').filter((element) => element !== '');
  return elements.map((element, i) => parseElement(element, i === elements.length - 1, path));
}

/** The same as names alone. */
export const pathNames = (path: string): readonly string[] =>
  parsePath(path).flatMap(({ name, key }) => (key === undefined ? [name] : [name, key]));

function parseElement(element: string, isLast: boolean, path: string): PathElement {
  const bracket = element.lastIndexOf('[');
  if (bracket >= 0) {
    if (bracket === 0 || bracket > element.length - 3 || !element.endsWith(']'))
      throw invalidElement(element, path);
    return { name: element.slice(0, bracket), key: element.slice(bracket + 1, -1) };
  }
  const dot = isLast ? element.lastIndexOf('.') : -1;
  if (dot < 0) return { name: element };
  if (dot === 0 || dot > element.length - 2) throw invalidElement(element, path);
  return { name: element.slice(0, dot), key: element.slice(dot + 1) };
}

const invalidElement = (element: string, path: string): Error =>
  bucketsPathError(`Invalid path element [${element}] in path [${path}]`, 'request');
