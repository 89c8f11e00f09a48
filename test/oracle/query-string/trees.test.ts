import * as fc from 'fast-check';
import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import { isUnsupported } from '../../../plugins/kibana-clickhouse/common/errors/catalogue';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { QueryContext } from '../../../plugins/kibana-clickhouse/search/queries/definition';
import type { MatchTree } from '../../../plugins/kibana-clickhouse/search/queries/query-string/match-tree';
import {
  type QueryStringParams,
  queryString,
  queryTree,
} from '../../../plugins/kibana-clickhouse/search/queries/query-string/query-string';
import {
  type SimpleQueryStringParams,
  simpleQueryString,
  simpleTree,
} from '../../../plugins/kibana-clickhouse/search/queries/query-string/simple-query-string';
import { parseQuery } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { describeJudged, sharedJudgeUrl } from '../../judge/describe-judged';
import { judgeRequest } from '../../judge/request';
import { comparable, isAmbiguous, printTree } from './print-tree';
import { randomOptions, randomSimpleOptions, randomSimpleText, randomText } from './random-query';
import { mapping, table } from './table';

const index = 'query_string_trees';
const context: QueryContext = { table, now: 0, textSearch: 'tokens' };

const number = (name: string, byDefault: number): number => Number(process.env[name] ?? byDefault);

const cases = number('TREE_CASES', 400);
const seed = number('TREE_SEED', 1);

interface Verdict {
  /** The printed tree, or undefined for an error. */
  readonly tree?: string;
  /** All that is said of the error, Elasticsearch's wrappings included. */
  readonly error?: string;
}

async function judged(clause: string, options: JsonObject): Promise<Verdict> {
  const path = `/${index}/_validate/query?explain=true`;
  const { body } = await judgeRequest(sharedJudgeUrl(), 'POST', path, {
    query: { [clause]: options },
  });
  const { error, explanations: [found] = [] } = body as {
    readonly error?: string;
    readonly explanations?: readonly { readonly error?: string; readonly explanation?: string }[];
  };
  const said = error ?? found?.error;
  return said === undefined ? { tree: comparable(found?.explanation ?? '') } : { error: said };
}

type Ours = Verdict & { readonly incomparable?: boolean };

function ours(make: () => MatchTree | undefined): Ours {
  try {
    const tree = make();
    return {
      tree: comparable(printTree(tree)),
      incomparable: tree !== undefined && isAmbiguous(tree),
    };
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    const said = [error.message, ...error.causes.map(({ reason }) => reason)].join('\n');
    return { error: said, incomparable: isUnsupported(error) };
  }
}

/**
 * Whether both say the same. Of two errors only those of the syntax are compared: Lucene meets the error of a value
 * before that of a sign behind it, and we find those of the syntax first.
 */
function agree(theirs: Verdict, mine: Ours): boolean {
  if (theirs.error === undefined || mine.error === undefined) return theirs.tree === mine.tree;
  const { error } = theirs;
  if (!/Encountered|Lexical|escape sequence|escape character/.test(error)) return true;
  return mine.error.split('\n').every((line) => error.includes(line));
}

interface Kind {
  readonly clause: string;
  readonly text: fc.Arbitrary<string>;
  readonly options: fc.Arbitrary<JsonObject>;
  readonly tree: (body: JsonObject) => MatchTree | undefined;
}

const queryStrings: Kind = {
  clause: 'query_string',
  text: randomText,
  options: randomOptions,
  tree: (body) =>
    queryTree(queryString.parse(body, parseQuery).params as QueryStringParams, context),
};

const simpleQueryStrings: Kind = {
  clause: 'simple_query_string',
  text: randomSimpleText,
  options: randomSimpleOptions,
  tree: (body) =>
    simpleTree(
      simpleQueryString.parse(body, parseQuery).params as SimpleQueryStringParams,
      context,
    ),
};

const optionsOf = ({ options }: Kind, isFree: boolean): fc.Arbitrary<JsonObject> =>
  isFree ? options : fc.constant<JsonObject>({});

describeJudged('trees of random queries', () => {
  beforeAll(async () => {
    await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${index}?ignore_unavailable=true`);
    await judgeRequest(sharedJudgeUrl(), 'PUT', `/${index}`, {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: mapping,
    });
  }, 60_000);

  afterAll(async () => {
    await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${index}?ignore_unavailable=true`);
  });

  test.each([
    ['query_string without options', queryStrings, false],
    ['query_string', queryStrings, true],
    ['simple_query_string without options', simpleQueryStrings, false],
    ['simple_query_string', simpleQueryStrings, true],
  ])(
    '%s are those of Elasticsearch',
    async (_, kind, isFree) => {
      const samples = fc.sample(fc.tuple(kind.text, optionsOf(kind, isFree)), {
        numRuns: cases,
        seed,
      });
      const differences: object[] = [];
      let compared = 0;
      for (const [query, options] of samples) {
        const body = { query, ...options };
        const mine = ours(() => kind.tree(body));
        if (mine.incomparable === true) continue;
        const theirs = await judged(kind.clause, body);
        compared += theirs.tree === undefined ? 0 : 1;
        if (!agree(theirs, mine)) differences.push({ body, theirs, mine });
      }
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(cases / 4);
    },
    600_000,
  );
});
