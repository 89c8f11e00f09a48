import type { JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import {
  type Dataset,
  type DatasetColumn,
  type DatasetRow,
  date,
  double,
  geoPoint,
  integer,
  ip,
  keyword,
  textMapping,
} from './dataset';
import { numbersFrom } from './random';

/** Nested documents, by an Array of Tuples. */
const items: DatasetColumn = {
  name: 'items',
  clickHouse:
    "Array(Tuple(sku LowCardinality(String), qty Int32, price Nullable(Float64), returned Bool, sent DateTime64(3, 'UTC'), colours Array(LowCardinality(String)), note String))",
  elasticsearch: {
    type: 'nested',
    properties: {
      sku: { type: 'keyword' },
      qty: { type: 'integer' },
      price: { type: 'double' },
      returned: { type: 'boolean' },
      sent: { type: 'date' },
      colours: { type: 'keyword' },
      note: textMapping,
    },
  },
};

const dayMs = 86_400_000;
const firstMs = Date.UTC(2024, 1, 27);

/** Orders of some shops with none to five items, some of them alike. */
export const orders: Dataset = {
  name: 'orders',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    keyword('shop'),
    double('total', { nullable: true }),
    keyword('labels', { array: true }),
    date('at'),
    ip('client'),
    geoPoint('place'),
    items,
  ],
  rows: () => {
    const random = numbersFrom(11);
    const below = (limit: number): number => Math.floor(random() * limit);
    const pick = (values: readonly string[]): string => values[below(values.length)] ?? '';
    const time = (): string => new Date(firstMs + below(4 * 24) * (dayMs / 24)).toISOString();
    const item = (): JsonValue => ({
      sku: pick(['cup', 'pen', 'mug', '']),
      qty: below(6) - 1,
      price: random() < 0.2 ? null : below(40) / 4,
      returned: random() < 0.3,
      sent: time(),
      colours: ['red', 'blue', 'green'].filter(() => random() < 0.4),
      note: pick(['as a gift', 'fragile', 'Fragile glass']),
    });
    return Array.from({ length: 90 }, (_, i): DatasetRow => {
      const own = Array.from({ length: below(5) }, item);
      return {
        n: i + 1,
        shop: pick(['north', 'south', 'east']),
        total: random() < 0.1 ? null : below(1000) / 8,
        labels: ['new', 'vip'].filter(() => random() < 0.4),
        at: time(),
        client: `::ffff:10.0.${String(i % 3)}.${String((i * 7) % 20)}`,
        place: { lat: ((i * 37) % 120) - 60, lon: ((i * 91) % 340) - 170 },
        items: own.length > 1 && random() < 0.4 ? [...own, own[0] ?? null] : own,
      };
    });
  },
};
