import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { loadDocuments } from './load-documents';

const help = `Usage: node --import tsx dev/load/load.ts --mapping FILE.json --documents FILE.ndjson[.gz] [options]

Loads the documents of an Elasticsearch index into a new ClickHouse table: a column for each field of
the mapping, named by its path (geo.src); a field that stands in an array becomes an Array, one that
some documents lack a Nullable; text is String, keyword LowCardinality(String), date DateTime64(3),
geo_point Tuple(lat, lon), an alias an ALIAS column. The column \`line\` numbers the documents.

  --mapping FILE       mapping of the index, as GET /index/_mapping shows under the index's name
  --documents FILE     one JSON document a line
  --table NAME         default: the name of the documents' file up to its first dot
  --order-by COLUMNS   sorting key before \`line\`, a comma list (default: none)
  --clickhouse URL     http://host:port (default: http://127.0.0.1:8123)
  --database NAME      default: default
  --user NAME          default: default
  --help               this text

The password is read from CLICKHOUSE_PASSWORD.
`;

const options = {
  mapping: { type: 'string' },
  documents: { type: 'string' },
  table: { type: 'string' },
  'order-by': { type: 'string', default: '' },
  clickhouse: { type: 'string', default: 'http://127.0.0.1:8123' },
  database: { type: 'string', default: 'default' },
  user: { type: 'string', default: 'default' },
  help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const { mapping, documents, clickhouse: url, database, user } = values;
  if (values.help || mapping === undefined || documents === undefined) {
    process.stdout.write(help);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const table = values.table ?? basename(documents).replace(/\..*$/, '');
  const orderBy = values['order-by'].split(',').filter((name) => name !== '');
  const password = process.env['CLICKHOUSE_PASSWORD'] ?? '';
  const target = { url, database, user, password };
  const rows = await loadDocuments(target, { mapping, documents }, { table, orderBy });
  process.stdout.write(`${table}: ${String(rows)} rows\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
