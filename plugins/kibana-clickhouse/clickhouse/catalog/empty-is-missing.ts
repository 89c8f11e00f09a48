import { call, column, lambda, param } from '../sql/build';
import type { Field } from './table';

const emptyText = param('', 'String');

/**
 * The field as the table option `emptyIsMissing` wants it: an empty string is no value, as NULL is
 * none; of several values the empty ones are left out. `_source` still shows what is stored. Fields
 * that are no String or FixedString are given back as they are. `nullIf` of the column does not use the primary key: an
 * equal value of a String, which is never the empty one, is compared with the column itself.
 */
export function emptyIsMissing(field: Field): Field {
  if (field.valueType.name !== 'String' || field.type === 'object') return field;
  const { raw, presence, ...kept } = field;
  if (raw && raw.type.name !== 'FixedString' && raw.type.name !== 'String') return field;
  if (field.multiValued) {
    const notEmpty = lambda('x', call('notEmpty', column('x')));
    return { ...kept, expr: call('arrayFilter', notEmpty, field.expr) };
  }
  const expr = call('nullIf', field.expr, emptyText);
  return {
    ...kept,
    expr,
    nullable: true,
    ...(presence && { presence: call('isNotNull', expr) }),
    ...(raw?.type.name !== 'FixedString' && {
      raw: raw ?? { expr: field.expr, type: field.valueType },
    }),
  };
}
