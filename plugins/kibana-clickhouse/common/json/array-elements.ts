const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * The elements of an array that is a member of a JSON object, as the text they are written in: numbers
 * keep every digit. The text must be valid JSON. Undefined when it is no object, or has no array of
 * that name.
 */
export function arrayElements(text: Buffer, name: string): readonly Buffer[] | undefined {
  const key = Buffer.from(JSON.stringify(name));
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(text, at);
      const isKey = depth === 1 && text.subarray(at, end).equals(key);
      const start = isKey ? startOfArray(text, end) : -1;
      if (start >= 0) return elementsFrom(text, start);
      at = end - 1;
    } else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
  }
  return undefined;
}

/** Position behind the `[` of a member's value, when `at` is behind its key; -1: no array there. */
function startOfArray(text: Buffer, at: number): number {
  const head = /^\s*:\s*\[/.exec(text.toString('latin1', at, at + 64));
  return head ? at + head[0].length : -1;
}

/** Position behind the closing quote. */
function endOfString(text: Buffer, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === BACKSLASH) i++;
    else if (text[i] === QUOTE) return i + 1;
  }
  return text.length;
}

function elementsFrom(text: Buffer, start: number): readonly Buffer[] {
  const elements: Buffer[] = [];
  let depth = 0;
  let begin = start;
  for (let at = start; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) at = endOfString(text, at) - 1;
    else if (OPENING.has(byte)) depth++;
    else if (byte === COMMA && depth === 0) {
      elements.push(text.subarray(begin, at));
      begin = at + 1;
    } else if (CLOSING.has(byte) && --depth < 0) {
      const last = text.subarray(begin, at);
      const isEmpty = elements.length === 0 && last.toString().trim() === '';
      return isEmpty ? [] : [...elements, last];
    }
  }
  return elements;
}
