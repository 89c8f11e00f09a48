import { unsupported } from '../../common/errors/catalogue';

/** A word of a script. */
export interface ScriptToken {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const pattern =
  /\s+|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[lLdDfF]?)|(?<name>[A-Za-z_][\w]*)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<sign>&&|\|\||[=!<>]=|[-+*/%<>!?:;,.()[\]{}])/y;

const longest = 65_535;

/** The words of a script, an end behind them. Refuses signs that are not among those it can run. */
export function scriptTokens(source: string): readonly ScriptToken[] {
  if (source.length > longest) throw unsupported('a script of more than 65535 characters');
  const tokens: ScriptToken[] = [];
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) throw unsupported(`[${source.slice(at, at + 1)}] in a script`);
    const { number, name, text, sign } = found.groups ?? {};
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (text !== undefined) tokens.push({ kind: 'text', text: unquoted(text) });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return [...tokens, { kind: 'end', text: 'the end' }];
}

const unquoted = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
