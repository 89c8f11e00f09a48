import { illegalArgument } from '../../common/errors/catalogue';

const KILO = 1024;
const names: readonly string[] = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];

/**
 * Bytes as a `_cat` endpoint writes them: in the largest unit with one digit, cut off (`12.8kb`), or where `unit` names
 * one (`bytes=kb`) as whole numbers of it (Elasticsearch 7.17, `ByteSizeValue`). Throws 400 for another unit.
 */
export function byteSize(bytes: number, unit: string | undefined): string {
  if (unit !== undefined && unit !== '') {
    const power = names.findIndex((name) => name === unit || (unit !== 'b' && name === `${unit}b`));
    if (power < 0) throw illegalArgument(`Failed to parse [bytes] with value [${unit}]`);
    return String(Math.floor(bytes / KILO ** power));
  }
  const power = bytes < KILO ? 0 : Math.min(names.length - 1, Math.floor(Math.log2(bytes) / 10));
  const tenths = Math.floor((bytes / KILO ** power) * 10);
  const digit = tenths % 10;
  return `${String(Math.floor(tenths / 10))}${digit === 0 ? '' : `.${String(digit)}`}${names[power] ?? ''}`;
}
