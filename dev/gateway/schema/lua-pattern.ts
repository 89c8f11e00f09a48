const CLASSES: Readonly<Record<string, string>> = {
  a: 'A-Za-z',
  d: '0-9',
  l: 'a-z',
  s: '\\s',
  u: 'A-Z',
  w: 'A-Za-z0-9',
  x: 'A-Fa-f0-9',
  p: '!-\\/:-@\\[-`{-~',
};

function escaped(letter: string, insideSet: boolean): string {
  const known = CLASSES[letter.toLowerCase()];
  if (known === undefined) return /[\w\s]/.test(letter) ? letter : `\\${letter}`;
  if (letter === letter.toLowerCase()) return insideSet ? known : `[${known}]`;
  if (insideSet) throw new Error(`'%${letter}' inside a set`);
  return `[^${known}]`;
}

function translatedSet(pattern: string, start: number): { source: string; end: number } {
  let source = '[';
  let index = start + 1;
  if (pattern[index] === '^') {
    source += '^';
    index += 1;
  }
  for (let first = true; index < pattern.length; first = false) {
    const letter = pattern.charAt(index);
    if (letter === ']' && !first) return { source: `${source}]`, end: index + 1 };
    if (letter === '%') source += escaped(pattern.charAt(++index), true);
    else source += letter === '\\' || letter === ']' || letter === '[' ? `\\${letter}` : letter;
    index += 1;
  }
  throw new Error('a set that does not end');
}

/**
 * A Lua pattern (Lua 5.1, 6.4.1 of the manual of 5.3) as a regular expression that tests the same
 * strings: classes, sets, anchors and the quantifiers `* + - ?`. Throws for `%b` and back references,
 * which have no counterpart.
 */
export function luaPattern(pattern: string): RegExp {
  let source = '';
  for (let index = 0; index < pattern.length;) {
    const letter = pattern.charAt(index);
    if (letter === '[') {
      const set = translatedSet(pattern, index);
      source += set.source;
      index = set.end;
    } else if (letter === '%') {
      const next = pattern.charAt(index + 1);
      if (/[b0-9f]/.test(next)) throw new Error(`'%${next}' is not supported`);
      source += escaped(next, false);
      index += 2;
    } else {
      source += translatedLetter(letter, index, pattern.length);
      index += 1;
    }
  }
  return new RegExp(source, 's');
}

function translatedLetter(letter: string, index: number, length: number): string {
  if (letter === '^') return index === 0 ? '^' : '\\^';
  if (letter === '$') return index === length - 1 ? '$' : '\\$';
  if (letter === '-') return '*?';
  if ('.*+?()'.includes(letter)) return letter;
  return /[\\{}|/]/.test(letter) ? `\\${letter}` : letter;
}
