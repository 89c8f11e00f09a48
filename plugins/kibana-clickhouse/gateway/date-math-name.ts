import { parseError } from '../common/errors/catalogue';
import { ElasticsearchError } from '../common/errors/elasticsearch-error';
import { parseDateFormat } from '../search/values/date-format';
import { parseDateMath } from '../search/values/date-math';
import { findTimeZone, type TimeZone, utc } from '../search/values/time-zone';

const defaultFormat = 'uuuu.MM.dd';

/**
 * The name that a date-math name stands for at a moment: `<logs-{now/d}>` is `logs-2024.03.22`, also with a format and a
 * zone (`{now/d{yyyy.MM|+12:00}}`). Other names stay as they are. Throws Elasticsearch's 400 for a date that cannot be
 * calculated (7.17, `IndexNameExpressionResolver.DateMathExpressionResolver`). `now`: epoch ms.
 */
export function resolveDateMath(name: string, now: number): string {
  if (!name.startsWith('<') || !name.endsWith('>')) return name;
  return readParts(name)
    .map((part) => (part.kind === 'text' ? part.text : printDate(part.text, name, now)))
    .join('');
}

interface Part {
  readonly kind: 'text' | 'date';
  readonly text: string;
}

/** Text and what stands in braces, by turns; a backslash takes the meaning of the sign behind it. */
function readParts(name: string): readonly Part[] {
  const parts: Part[] = [];
  let text = '';
  let depth = 0;
  const end = (kind: Part['kind']): void => {
    parts.push({ kind, text });
    text = '';
  };
  for (let i = 1; i < name.length - 1; i++) {
    const sign = name[i] ?? '';
    if (sign === '\\') {
      i += 1;
      text += name[i] ?? '';
    } else if (sign === '{' && depth++ === 0) end('text');
    else if (sign === '}' && --depth === 0) end('date');
    else text += sign;
    if (depth < 0)
      throw wrong(
        name,
        'invalid character at position [' + String(i) + ']. `{` and `}` are reserved',
      );
  }
  if (depth > 0) throw wrong(name, 'date math placeholder is open ended');
  end('text');
  return parts;
}

const wrong = (name: string, why: string): ElasticsearchError =>
  parseError(`invalid dynamic name expression [${name}]. ${why}`);

/** `now/d{format|zone}` */
function printDate(placeholder: string, name: string, now: number): string {
  const brace = placeholder.indexOf('{');
  const math = brace < 0 ? placeholder : placeholder.slice(0, brace);
  const [pattern = '', zoneName] = brace < 0 ? [defaultFormat] : formatOf(placeholder, brace, name);
  const zone = zoneOf(zoneName, name);
  if (!math.startsWith('now')) throw wrong(name, 'missing date');
  try {
    const format = parseDateFormat(pattern);
    return format.print(parseDateMath(math, { format, now, zone, round: 'down' }), zone);
  } catch (error) {
    if (error instanceof ElasticsearchError) throw parseError(error.message);
    throw error;
  }
}

function formatOf(placeholder: string, brace: number, name: string): readonly string[] {
  const text = placeholder.slice(brace + 1, placeholder.endsWith('}') ? -1 : undefined);
  if (!placeholder.endsWith('}') || text === '') throw wrong(name, 'missing date format');
  return text.split('|');
}

function zoneOf(zoneName: string | undefined, name: string): TimeZone {
  const zone = zoneName === undefined ? utc : findTimeZone(zoneName);
  if (zone === undefined) throw wrong(name, `unknown time zone [${zoneName ?? ''}]`);
  return zone;
}
