import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FieldKind, FieldValue, FuzzDocuments, FuzzField } from '../documents/field';

/** A search: parameters of the query string and the body. */
export interface FuzzRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** An object some of whose keys are there; each arbitrary's undefined leaves its key out. */
export const options = (
  model: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
  required: readonly string[] = [],
): fc.Arbitrary<JsonObject> =>
  fc.record(model, { requiredKeys: [...required] }).map((made) => ({ ...made }));

/** Such an object one time in n, else an empty one. */
export const seldom = (
  n: number,
  model: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: n - 1, arbitrary: fc.constant<JsonObject>({}) },
    { weight: 1, arbitrary: options(model) },
  );

/** The value, or with probability 1/n another one. */
export const mostly = (
  value: fc.Arbitrary<JsonValue>,
  other: fc.Arbitrary<JsonValue>,
  n: number,
): fc.Arbitrary<JsonValue> =>
  fc.oneof({ weight: n - 1, arbitrary: value }, { weight: 1, arbitrary: other });

export const fieldsOfKind = (
  { fields }: FuzzDocuments,
  ...kinds: readonly FieldKind[]
): readonly FuzzField[] => fields.filter(({ kind }) => kinds.includes(kind));

/** One of the documents' values of a field. */
export const valueOf = ({ values }: FuzzField): fc.Arbitrary<FieldValue> =>
  values.length === 0 ? fc.constantFrom<FieldValue>('none', 1) : fc.constantFrom(...values);

/** Zones with summer time in both halves of the year, of half hours and quarters, without any, and offsets. */
export const timeZones = fc.constantFrom(
  'UTC',
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
  'America/Havana',
  'Asia/Kolkata',
  'Pacific/Apia',
  '+01:00',
  '-03:30',
  'Z',
);

export const dateFormats = fc.constantFrom(
  'strict_date_optional_time',
  'epoch_millis',
  'epoch_second',
  'date_optional_time',
  'yyyy-MM-dd',
  'yyyy-MM-dd HH:mm:ss',
  "yyyy/MM/dd'T'HH",
  'strict_date_time',
  'basic_date',
  'dd.MM.yyyy',
  'HH:mm',
  'strict_year_month',
  'EEE, d MMM yyyy',
  'yyyy-MM-dd||epoch_millis',
);
