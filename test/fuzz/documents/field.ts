import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { Dataset, DatasetColumn } from '../../datasets/dataset';

/** What a field is to a generator of requests: which values it takes and which clauses may name it. */
export type FieldKind =
  'keyword' | 'text' | 'integer' | 'decimal' | 'boolean' | 'ip' | 'date' | 'date_nanos';

/** One value of a field, as a document holds it and a request writes it. */
export type FieldValue = string | number | bigint | boolean;

/** A field of the documents as a request can name it. */
export interface FuzzField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Values of the documents. */
  readonly values: readonly FieldValue[];
}

/** Documents for some hundred requests. */
export interface FuzzDocuments {
  readonly columns: readonly DatasetColumn[];
  readonly fields: readonly FuzzField[];
  /** Column values; an absent one is NULL, or nothing in an array or a map. */
  readonly rows: readonly JsonObject[];
  /** Epoch ms that all dates lie between: what intervals are chosen for. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Tells documents apart and orders them; a field of its own as well. */
export const uniqueField = 'seq';

/** The documents as both servers are loaded with them, under the name of an index. */
export const datasetOf = (
  { columns, rows }: Pick<FuzzDocuments, 'columns' | 'rows'>,
  name: string,
): Dataset => ({ name, columns, uniqueField, orderBy: [uniqueField], rows: () => rows });
