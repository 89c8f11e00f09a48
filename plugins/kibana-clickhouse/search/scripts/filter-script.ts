import { and } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import type { BinaryOperator } from './nodes';
import { parseScript } from './parse';
import type { ScriptText } from './script-option';
import { type DocumentScope, translateScript } from './translate';
import { asBoolean, constant, type TypedExpr } from './typed-expr';
import { operateTyped } from './typed-operations';

/** One comparison of a filter that Kibana makes of a scripted field: the field's script with a parameter. */
interface Comparison {
  readonly operator: BinaryOperator;
  readonly isDate: boolean;
  readonly source: string;
  readonly parameter: string;
}

const isEqual = 'boolean compare(Supplier s, def v) {return s.get() == v;}';
/** The same where the field's script may give a list, since Kibana 7.15. */
const isEqualOrInList =
  'boolean compare(Supplier s, def v) {if(s.get() instanceof List){List list = s.get(); for(def k : list){if(k==v){return true;}}return false;}else{return s.get() == v;}}';

const operators: Readonly<Record<string, BinaryOperator>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** `script.max_size_in_bytes` of Elasticsearch 7.17. */
const maximumLength = 65_535;

/** What compares dates, each behind its name and parameters. */
const dateBodies: Readonly<Record<string, string>> = {
  gt: 'return s.get().toInstant().isAfter(Instant.parse(v))',
  gte: 'return !s.get().toInstant().isBefore(Instant.parse(v))',
  lte: 'return !s.get().toInstant().isAfter(Instant.parse(v))',
  lt: 'return s.get().toInstant().isBefore(Instant.parse(v))',
};

/**
 * True for the rows for which a script gives true: one in the forms that Kibana writes for its scripted fields, or any that
 * `translateScript` can say. Refuses others by name, and the language `expression`.
 */
export function filterScript(
  { source, lang, params }: ScriptText,
  field: DocumentScope['field'],
): Expr {
  if (lang !== 'painless') throw unsupported(`language [${lang}] in query [script]`);
  if (source.length > maximumLength)
    throw unsupported(`a script of more than ${String(maximumLength)} characters`);
  const scope: DocumentScope = { params, field };
  const typed = (text: string): TypedExpr =>
    translateScript(parseScript(text, 'painless', 'read'), scope);
  const comparisons = phrase(source) ?? range(source);
  if (comparisons === undefined) return asBoolean(typed(source));
  return and(comparisons.map((one) => compared(one, typed(one.source), scope)));
}

function compared(
  { operator, isDate, parameter }: Comparison,
  value: TypedExpr,
  { params }: DocumentScope,
): Expr {
  const given = params.get(parameter) ?? null;
  if (!isDate) return asBoolean(operateTyped(operator, value, constant(given)));
  if (value.type !== 'date' && value.type !== 'instant')
    throw unsupported(`a ${value.type} for a date in a script`);
  const isInstant =
    typeof given === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{5,8}(?:\.\d{1,3})?Z$/.test(given);
  if (!isInstant) throw unsupported('a date of this form among the params of a script');
  const millis: TypedExpr = { type: 'long', expr: value.expr };
  return asBoolean(operateTyped(operator, millis, constant(BigInt(Date.parse(given)))));
}

/** `compare(() -> { … }, params.value)` behind its definition. */
function phrase(source: string): readonly Comparison[] | undefined {
  const definition = [isEqual, isEqualOrInList].find((text) => source.startsWith(text));
  if (definition === undefined) return undefined;
  const [, body] =
    /^compare\(\(\) -> \{ ([^]*) \}, params\.value\);$/.exec(source.slice(definition.length)) ?? [];
  return body === undefined
    ? undefined
    : [{ operator: '==', isDate: false, source: body, parameter: 'value' }];
}

/** `gte(() -> { … }, params.gte) && lt(…)` behind the definitions of those names. */
function range(source: string): readonly Comparison[] | undefined {
  let rest = source;
  const areDates = new Map<string, boolean>();
  for (;;) {
    const defined = definitionOf(rest);
    if (defined === undefined) break;
    areDates.set(defined.name, defined.isDate);
    rest = rest.slice(defined.length).trimStart();
  }
  if (areDates.size === 0) return undefined;
  const comparisons = [...areDates].map(([name, isDate]) => {
    const calls = new RegExp(
      `(?:^|&& )${name}\\(\\(\\) -> \\{ ([^]*?) \\}, params\\.${name}\\)(?= && |$)`,
    );
    const [call, body] = calls.exec(rest) ?? [];
    if (call !== undefined) rest = rest.replace(call, '').trim();
    return body === undefined
      ? undefined
      : { operator: operators[name] ?? '==', isDate, source: body, parameter: name };
  });
  const found = comparisons.filter((one) => one !== undefined);
  return rest === '' && found.length === areDates.size ? found : undefined;
}

function definitionOf(
  text: string,
): { readonly name: string; readonly isDate: boolean; readonly length: number } | undefined {
  for (const [name, operator] of Object.entries(operators)) {
    const head = `boolean ${name}(Supplier s, def v) {`;
    const bodies = [`return s.get() ${operator} v`, dateBodies[name] ?? ''];
    const at = bodies.findIndex((body) => text.startsWith(`${head}${body}}`));
    if (at >= 0)
      return { name, isDate: at === 1, length: head.length + (bodies[at]?.length ?? 0) + 1 };
  }
  return undefined;
}
