import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';
import type { Dataset } from '../datasets/dataset';
import { logs } from '../datasets/logs';
import type { Placing } from './move-index';
import type { Timeline } from './move-times';

/** The datasets that stand for the indexes of the corpus. */
export const corpusDatasets = (): readonly Dataset[] => [logs];

/** Sample data of a UI stands for itself; everything else is some kind of logs. */
export function placing(datasets: readonly Dataset[]): Placing {
  const names = datasets.map(({ name }) => name);
  return (expression) => {
    const sample = /^[a-z_]*sample_data_(?:ecommerce|flights|logs)$/.exec(expression)?.[0];
    return names.find((name) => sample?.endsWith(name) === true) ?? logs.name;
  };
}

const timeFields: readonly string[] = ['@timestamp', 'timestamp', 'order_date'];

/** When a dataset's documents are; empty where it has none of the usual time fields. */
export function timelineOf(dataset: Dataset): Timeline {
  const field = timeFields.find((name) => dataset.columns.some((column) => column.name === name));
  if (field === undefined) return [];
  return Array.from(dataset.rows(), (row) => Date.parse(stringOf(row[field] ?? ''))).sort(
    (a, b) => a - b,
  );
}
