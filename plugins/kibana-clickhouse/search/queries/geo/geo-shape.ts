import { alwaysFalse, and, call, column, lambda, not, or } from '../../../clickhouse/sql/build';
import type { Field } from '../../../clickhouse/catalog/table';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument, parsingError, unsupported } from '../../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { defineClause } from '../definition';
import { hasValue } from '../equals';
import { booleanOption, checkCommonOption, clauseObject } from '../options';
import { anyPoint, inBox, inDistance, inPolygon } from './geo-conditions';
import { type PointParts, geoField, partsOf } from './geo-field';
import { type Shape, parseShape } from './shapes';

type Relation = 'contains' | 'disjoint' | 'intersects' | 'within';

interface ShapeParams {
  readonly field: string;
  readonly shapes: readonly Shape[];
  readonly relation: Relation;
  readonly ignoreUnmapped: boolean;
}

/** `{"geo_shape": {"location": {"shape": {"type": "polygon", …}, "relation": "intersects"}}}`: points in shapes. */
export const geoShape = defineClause<ShapeParams>({
  name: 'geo_shape',
  parse(body) {
    let found: Pick<ShapeParams, 'field' | 'relation' | 'shapes'> | undefined;
    let ignoreUnmapped = false;
    for (const [key, value] of Object.entries(clauseObject('geo_shape', body))) {
      if (isJsonObject(value)) {
        if (found) throw parsingError(`point specified twice. [${key}]`);
        found = { field: key, ...parseField(value) };
      } else if (key === 'ignore_unmapped') ignoreUnmapped = booleanOption(key, value);
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw parsingError(`query does not support [${key}]`);
    }
    if (found === undefined) throw illegalArgument('fieldName is required');
    return { ...found, ignoreUnmapped };
  },
  toCondition(params, context) {
    const field = geoField(
      { ...params, clause: 'geo_shape', unmapped: 'failed to find type for field' },
      context,
    );
    return field === undefined ? alwaysFalse : related(field, params);
  },
  // Elasticsearch 7.17 scores 0 here
  scoring: () => false,
});

function parseField(body: JsonObject): Pick<ShapeParams, 'relation' | 'shapes'> {
  let shapes: readonly Shape[] | undefined;
  let relation: Relation = 'intersects';
  for (const [key, value] of Object.entries(body)) {
    if (key === 'shape') shapes = parseShape(value);
    else if (key === 'relation') relation = parseRelation(value);
    else if (key === 'indexed_shape') throw unsupported('[indexed_shape] of query [geo_shape]');
    // how it is executed changes no answer
    else if (key !== 'strategy') throw parsingError(`query does not support [${key}]`);
  }
  if (shapes === undefined) throw illegalArgument('either shape or indexedShapeId is required');
  return { shapes, relation };
}

function parseRelation(value: JsonValue): Relation {
  const name = stringOf(value).toLowerCase();
  if (name === 'intersects' || name === 'within' || name === 'disjoint' || name === 'contains')
    return name;
  throw parsingError(`Unknown shape operation [${stringOf(value)} ]`);
}

/** Points have no extent: none contains a shape that has one. */
function related(field: Field, { shapes, relation }: ShapeParams): Expr {
  const inside = (point: PointParts): Expr => or(shapes.map((shape) => inShape(point, shape)));
  switch (relation) {
    case 'contains':
      return alwaysFalse;
    case 'disjoint':
      return and([hasValue(field), not(anyPoint(field, inside))]);
    case 'within':
      return field.multiValued
        ? and([
            hasValue(field),
            call('arrayAll', lambda('x', inside(partsOf(field, column('x')))), field.expr),
          ])
        : anyPoint(field, inside);
    case 'intersects':
      return anyPoint(field, inside);
  }
}

function inShape(point: PointParts, shape: Shape): Expr {
  switch (shape.kind) {
    case 'box':
      return inBox(point, shape.box);
    case 'polygon':
      return inPolygon(point, shape.polygon);
    case 'circle':
      return inDistance(point, shape.center, shape.metres);
  }
}
