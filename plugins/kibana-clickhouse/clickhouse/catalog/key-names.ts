/**
 * Names in the order in which a key such as `host, toStartOfHour(ts)` mentions them: columns, and the functions around
 * them.
 */
export const namesInKey = (key: string): readonly string[] =>
  [...key.matchAll(/`((?:\\.|[^`\\])*)`|([A-Za-z_@][\w@.]*)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '',
  );
