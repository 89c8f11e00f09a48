import NodeCache from 'node-cache';
import type { Executor } from '../execution/executor';
import { type TableFacts, type TableOptions, type TableSamples, buildTable } from './build-table';
import { sampleReadsLess } from './load-sampling';
import { loadSamples, loadTableFacts, placesOf } from './load-table';
import type { Table } from './table';
import { tableStructure } from './table-structure';

/** The tables of a ClickHouse by index name. */
export interface Catalog {
  /**
   * The table behind an index name, or undefined when there is none: a table of that name in the
   * default database, else `database.table`. Its structure is at most 60 s old, the keys of its Maps
   * at most 5 min. Rejects with an `ElasticsearchError` when ClickHouse cannot be asked.
   */
  table(index: string): Promise<Table | undefined>;
  /** Whether SAMPLE reads fewer rows of a table: asked once for a structure, at most 5 min ago. */
  sampleReadsLess(table: Table): Promise<boolean>;
  /** Forgets an index: its table is read again, because ClickHouse said that it has changed. */
  forget(index: string): void;
  /** Stops its timers. */
  close(): void;
}

const structureSeconds = 60;
const samplesSeconds = 300;

/**
 * A catalogue over an executor. Names asked for at the same time are read once; failures and missing
 * tables are not kept. `optionsFor` gives what the settings say by index name.
 */
export function createCatalog(
  executor: Executor,
  defaultDatabase: string,
  optionsFor: (index: string) => TableOptions = () => ({}),
): Catalog {
  const samples = onceAtATime<TableSamples>(samplesSeconds);
  const tables = onceAtATime<Table | undefined>(structureSeconds);
  const sampling = onceAtATime<boolean>(samplesSeconds);
  const context = () => ({
    // shared by all who ask: one of them going away must not stop it
    signal: new AbortController().signal,
    comment: 'kibana-clickhouse catalogue',
  });

  const load = async (index: string): Promise<Table | undefined> => {
    const facts = await loadTableFacts(placesOf(index, defaultDatabase), executor, context());
    if (facts === undefined) return undefined;
    const options = optionsFor(index);
    const found = await samples.get(sampleKey(facts), () =>
      loadSamples(facts, options, executor, context()),
    );
    return buildTable(facts, found, options);
  };

  return {
    table: (index) => tables.get(index, () => load(index)),
    sampleReadsLess: (table) =>
      sampling.get(JSON.stringify([table.database, table.name, tableStructure(table)]), () =>
        sampleReadsLess(table, executor, context()),
      ),
    forget: (index) => {
      tables.forget(index);
    },
    close: () => {
      samples.close();
      tables.close();
      sampling.close();
    },
  };
}

/** Samples belong to a structure: a column that is new is looked into at once. */
const sampleKey = ({ database, name, columns }: TableFacts): string =>
  JSON.stringify([database, name, columns.map((item) => [item.name, item.type])]);

interface OnceAtATime<V> {
  get(key: string, load: () => Promise<V>): Promise<V>;
  forget(key: string): void;
  close(): void;
}

/** A cache of promises: the first who asks starts the reading, the others wait for the same one. */
function onceAtATime<V>(seconds: number): OnceAtATime<V> {
  const cache = new NodeCache({ stdTTL: seconds, checkperiod: seconds, useClones: false });
  return {
    get: (key, load) => {
      const known = cache.get<Promise<V>>(key);
      if (known !== undefined) return known;
      const loading = load();
      cache.set(key, loading);
      const drop = (): void => {
        if (cache.get(key) === loading) cache.del(key);
      };
      loading.then((value) => {
        if (value === undefined) drop();
      }, drop);
      return loading;
    },
    forget: (key) => {
      cache.del(key);
    },
    close: () => {
      cache.close();
      cache.flushAll();
    },
  };
}
