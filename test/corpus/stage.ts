import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';
import type { Dataset } from '../datasets/dataset';
import { logs } from '../datasets/logs';
import { readSamples } from '../datasets/samples';
import type { Placing } from './move-index';
import type { Timeline } from './move-times';

/** The datasets that stand for the indexes of the corpus; `folder` holds the sample documents. */
export const corpusDatasets = async (folder: string): Promise<readonly Dataset[]> => [
  logs,
  ...(await readSamples(folder)),
];

/** Sample data of a UI stands for itself; everything else is some kind of logs. */
export function placing(datasets: readonly Dataset[]): Placing {
  const names = datasets.map(({ name }) => name);
  return (expression) => {
    const set = /^[a-z_]*sample_data_(ecommerce|flights|logs)$/.exec(expression)?.[1];
    const sample = `sample_${set ?? ''}`;
    return names.includes(sample) ? sample : logs.name;
  };
}

/** When a dataset's documents are, by the first column of its sorting key. */
export function timelineOf(dataset: Dataset): Timeline {
  const [field = ''] = dataset.orderBy;
  return Array.from(dataset.rows(), (row) => Date.parse(stringOf(row[field] ?? ''))).sort(
    (a, b) => a - b,
  );
}
