import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is counted in one answer process, over all configurations, and shown by `GET /metrics`. */
export interface Metrics {
  /** An answered request. `endpoint`: its name in the endpoint table, `none` where there is none. */
  request(endpoint: string, status: number, ms: number): void;
  /** A statement that ClickHouse ran, or failed to. Rows and bytes are 0 where it did not say. */
  statement(outcome: 'ok' | 'failed', ms: number, read: StatementReads): void;
  /**
   * A value of another part, asked for when the metrics are shown: a queue's length (`gauge`), or what
   * only grows (`counter`). Shown as `kibana_clickhouse_<name>`. Several of one name (one for each
   * configuration) are shown as their sum. Gives how to take it away; what it had counted stays.
   */
  observe(observed: Observed): () => void;
  /** Prometheus' text format, version 0.0.4. */
  text(): Promise<string>;
  /** Media type of `text`. */
  readonly contentType: string;
}

export interface StatementReads {
  readonly rows: number;
  readonly bytes: number;
}

/** A value that another part keeps. */
export interface Observed {
  /** `monitor_records_dropped_total`; counters end in `_total`. */
  readonly name: string;
  readonly kind: 'gauge' | 'counter';
  readonly help: string;
  readonly read: () => number;
}

const PREFIX = 'kibana_clickhouse_';
/** Upper bounds in s: from a search of a few rows to the time limit of a statement. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of a process; those of Node itself are added with `withProcess`. */
export function createMetrics(options: { readonly withProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.withProcess === true) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers });
  const seconds = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({
      name: `${PREFIX}${name}`,
      help,
      labelNames: [...labelNames],
      buckets: SECONDS,
      registers,
    });
  const requests = counter('requests_total', 'Requests answered.', ['endpoint', 'status']);
  const durations = seconds('request_duration_seconds', 'Time from request to end of answer.', [
    'endpoint',
  ]);
  const statements = counter('statements_total', 'Statements sent to ClickHouse.', ['outcome']);
  const statementSeconds = seconds('statement_duration_seconds', 'Time of a statement.', []);
  const rows = counter('read_rows_total', 'Rows that ClickHouse read.');
  const bytes = counter('read_bytes_total', 'Bytes that ClickHouse read.');
  const sums = new Map<string, Sum>();
  return {
    request: (endpoint, status, ms) => {
      requests.inc({ endpoint, status: String(status) });
      durations.observe({ endpoint }, ms / 1000);
    },
    statement: (outcome, ms, read) => {
      statements.inc({ outcome });
      statementSeconds.observe(ms / 1000);
      rows.inc(read.rows);
      bytes.inc(read.bytes);
    },
    observe: (observed) => {
      const sum = sums.get(observed.name) ?? new Sum(registry, observed);
      sums.set(observed.name, sum);
      return sum.add(observed.read);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Values of one name, shown as their sum. */
class Sum {
  readonly #parts = new Set<() => number>();
  readonly #grows: boolean;
  /** What counters had reached that are gone. */
  #gone = 0;

  constructor(registry: Registry, { name, kind, help }: Omit<Observed, 'read'>) {
    this.#grows = kind === 'counter';
    const total = (): number => [...this.#parts].reduce((sum, read) => sum + read(), this.#gone);
    const options = { name: `${PREFIX}${name}`, help, registers: [registry] };
    if (this.#grows)
      new Counter({
        ...options,
        collect() {
          this.reset();
          this.inc(total());
        },
      });
    else
      new Gauge({
        ...options,
        collect() {
          this.set(total());
        },
      });
  }

  add(read: () => number): () => void {
    this.#parts.add(read);
    return () => {
      if (this.#parts.delete(read) && this.#grows) this.#gone += read();
    };
  }
}
