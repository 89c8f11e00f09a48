import { readFileSync } from 'node:fs';
import { internalError } from './errors/catalogue';

/**
 * The text of a certificate or key that a field of the configuration gives: itself, where it begins with `-----BEGIN`, else
 * that of the file it names. Throws an `ElasticsearchError` (500) that names the field, never its value.
 */
export function pemText(field: string, value: string): string {
  if (value.trimStart().startsWith('-----BEGIN ')) return value;
  let text: string;
  try {
    text = readFileSync(value, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw internalError(`[kibana-clickhouse] the file of ${field} cannot be read: ${code}`, error);
  }
  if (text.includes('-----BEGIN ')) return text;
  throw internalError(`[kibana-clickhouse] the file of ${field} holds no PEM`);
}
