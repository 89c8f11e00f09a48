/** Whether a name is a pattern: `*` stands for any characters. */
export const isPattern = (name: string): boolean => name.includes('*');

/** A test for names: equal, or matching the pattern's `*`. Linear in the name's length per `*`. */
export function namePattern(pattern: string): (name: string) => boolean {
  if (!isPattern(pattern)) return (name) => name === pattern;
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  return (name) => {
    if (name.length < head.length + tail.length) return false;
    if (!name.startsWith(head) || !name.endsWith(tail)) return false;
    const end = name.length - tail.length;
    let at = head.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
