import { numberFormatError } from '../../common/errors/catalogue';

/** The name in `host^2`; the weight must be a number, and changes no answer. */
export function weightedField(text: string): string {
  const at = text.indexOf('^');
  if (at < 0) return text;
  const weight = text.slice(at + 1);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?$/.test(weight.trim()))
    throw numberFormatError(weight === '' ? 'empty String' : `For input string: "${weight}"`);
  return text.slice(0, at);
}
