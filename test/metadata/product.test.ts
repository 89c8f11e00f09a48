import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { query, runSql } from '../../dev/clickhouse/run-sql';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import type { MonitorRecord } from '../../schema/monitor-record';
import { ask, closeClient, type Answer } from '../gateway/client';
import {
  eventually,
  kongConfig,
  pluginConfig,
  pluginsDirectory,
  reader,
  startTables,
  whenAnswered,
} from '../gateway/product';
import { sharedJudgeUrl } from '../judge/describe-judged';
import { Line } from './line';
import { describeStores, startLimitMs } from './servers';

jest.setTimeout(60_000);

const secrets = {
  key: 'secret-key-of-the-plugin-1',
  header: 'secret-header-of-the-plugin-2',
  caller: 'Basic c2VjcmV0LW9mLXRoZS1jYWxsZXI6Mw==',
};

const hour: JsonObject = {
  range: { '@timestamp': { gte: '2026-01-01T00:00:00.000Z', lte: '2026-01-01T01:00:00.000Z' } },
};
const search = (host: string): JsonObject => ({
  size: 2,
  query: { bool: { filter: [{ term: { host } }, hour] } },
  aggs: { statuses: { terms: { field: 'status' } } },
});

describeStores('monitor, query blacklist and translation through the gateway', () => {
  let clickHouse: EmbeddedClickHouse;
  let line: Line;
  let gateway: Gateway;
  const log: string[] = [];
  const answers: string[] = [];

  beforeAll(async () => {
    const es = sharedJudgeUrl();
    for (const index of ['proxy-settings', 'proxy-black-list', 'proxy-monitor-*'])
      await ask(es, `/${index}`, { method: 'DELETE' });
    [clickHouse, line] = await Promise.all([startTables(), Line.to(es)]);
    await runSql(
      clickHouse.url,
      `CREATE TABLE hashed (\`@timestamp\` UInt64, n UInt32, bytes UInt32) ENGINE = MergeTree
         ORDER BY intHash64(n) SAMPLE BY intHash64(n);
       INSERT INTO hashed SELECT 1767225600000 + number, number, number FROM numbers(1000);`,
    );
    const shared: JsonObject = {
      log_level: 'debug',
      secret_key: secrets.key,
      authorization: 'none',
      metadata_config: { hosts: [line.url], headers: { 'X-Plugin': secrets.header } },
      settings: {
        proxy: {
          whiteIndexList: ['logs', 'slow'],
          enableMonitoring: true,
          ck: { url: clickHouse.url, user: reader.name, pass: reader.password },
        },
      },
    };
    const serviceUrl = line.url;
    const admin = pluginConfig('', { ...shared, role: 'admin' });
    const config = kongConfig([
      { serviceUrl, route: { paths: ['/kibana'] }, plugin: pluginConfig('', shared) },
      { serviceUrl, route: { paths: ['/admin'] }, plugin: admin },
    ]);
    gateway = await startGateway({ config, port: 0, pluginsDirectory, log: (l) => log.push(l) });
    const services = config['services'] as readonly JsonObject[];
    await whenAnswered(gateway, { ...config, services: services.slice(0, 1) });
  }, startLimitMs);

  afterAll(async () => {
    closeClient();
    await gateway.close();
    await line.close();
    await clickHouse.close();
  }, startLimitMs);

  const call = async (
    method: string,
    path: string,
    body?: JsonObject | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const answer = await ask(gateway.url, path, {
      method,
      ...(body !== undefined && { body }),
      headers: { authorization: secrets.caller, ...headers },
    });
    answers.push(answer.text);
    return answer;
  };
  const searched = (body: JsonObject, headers = {}): Promise<Answer> =>
    call('POST', '/kibana/logs/_search', body, headers);

  /** The records of an opaque id, as soon as there are that many. */
  async function records(opaqueId: string, count: number): Promise<readonly MonitorRecord[]> {
    let found: readonly MonitorRecord[] = [];
    const isThere = await eventually(async () => {
      await ask(sharedJudgeUrl(), '/proxy-monitor/_refresh', { method: 'POST' });
      const path = `/proxy-monitor/_search?size=100&ignore_unavailable=true`;
      const answer = await ask(sharedJudgeUrl(), path, {
        method: 'POST',
        body: { query: { term: { opaqueId } } },
      });
      const { hits } = answer.json() as unknown as {
        /** Absent while the index is being made. */
        readonly hits?: { readonly hits: readonly { readonly _source: MonitorRecord }[] };
      };
      found = (hits?.hits ?? []).map(({ _source: source }) => source);
      return found.length >= count;
    });
    if (!isThere) throw new Error(`${String(found.length)} records of ${opaqueId}`);
    return found;
  }

  it('records each statement as it ran, with what it cost and who asked', async () => {
    const opaqueId = 'r1;kibana:application:dashboards:d%201;lens:lnsXY:p1';
    const before = Date.now();
    const answer = await searched(search('web-1'), { 'x-opaque-id': opaqueId });
    expect(answer.status).toBe(200);
    const found = await records(opaqueId, 2);
    expect(found).toHaveLength(2);
    for (const record of found) {
      expect(record).toMatchObject({
        index: 'logs',
        table: 'default.logs',
        application: 'dashboards',
        dashboard: 'd 1',
        panel: 'p1',
        key: "v1 `default`.`logs` WHERE (`host` = 'web-1')",
        fingerprint: "v1 `default`.`logs` WHERE (`host` = 'web-1')",
        range: 3_600_000,
        samplingRate: 1,
        cacheHit: false,
      });
      expect(record.startTime).toBeGreaterThanOrEqual(before);
      expect(record.cost).toBe(record.endTime - record.startTime);
      expect(record.timestamp).toBe(record.endTime);
      // the text runs as it stands, and gives what the statement gave
      const rows = await query(clickHouse.url, `SELECT count() FROM (${record.sql})`);
      expect(record.resultRows).toBe(Number(rows));
      expect(record.readRows).toBeGreaterThanOrEqual(600);
      expect(record.readBytes).toBeGreaterThan(0);
      expect(record.memory).toBeGreaterThan(0);
    }
  });

  it('records statements that fail, with their error', async () => {
    const body = { size: 0, query: { range: { wait: { gte: 1 } } } };
    const abort = new AbortController();
    const path = '/kibana/slow/_search';
    const asking = ask(gateway.url, path, {
      method: 'POST',
      body,
      headers: { 'x-opaque-id': 'failing' },
      signal: abort.signal,
    });
    const outcome = asking.catch(() => undefined);
    await eventually(async () => {
      const running = await query(
        clickHouse.url,
        "SELECT count() FROM system.processes WHERE query LIKE '%slow%' AND user = 'kibana'",
      );
      return Number(running) > 0;
    });
    abort.abort();
    await outcome;
    const [record] = await records('failing', 1);
    expect(record?.error).toEqual({
      type: 'request_aborted',
      reason: 'the client went away, the time of the search was over, or another statement failed',
    });
    expect(record).not.toHaveProperty('readRows');
  });

  it('records which part of the rows was read, and what was known already', async () => {
    const body = {
      size: 1,
      track_total_hits: true,
      query: hour,
      aggs: { bytes: { sum: { field: 'bytes' } } },
    };
    const set = (settings: JsonObject): Promise<Answer> =>
      call('POST', '/admin/config/all', JSON.stringify(settings), {
        'content-type': 'application/json',
      });
    const proxy = { enableMonitoring: true, whiteIndexList: ['logs', 'slow', 'hashed'] };
    const threshold = { sampleIndexPatterns: ['hashed'], sampleCountMaxThreshold: 200 };
    expect((await set({ proxy, query: { useCache: true, ...threshold } })).status).toBe(200);
    for (const opaqueId of ['sampled', 'known']) {
      const answer = await call('POST', '/kibana/hashed/_search', body, {
        'x-opaque-id': opaqueId,
      });
      expect(answer.json()).toMatchObject({ sampling: 0.2, cache: opaqueId === 'known' });
    }
    // hits, the estimate, the count and the sampled aggregation
    const [sampled, known] = [await records('sampled', 4), await records('known', 4)];
    const rates = (found: readonly MonitorRecord[]) => found.map((one) => one.samplingRate).sort();
    expect([rates(sampled), rates(known)]).toEqual([
      [0.2, 1, 1, 1],
      [0.2, 1, 1, 1],
    ]);
    expect(sampled.map(({ cacheHit }) => cacheHit)).toEqual([false, false, false, false]);
    expect(known.map(({ cacheHit }) => cacheHit)).toEqual([true, true, true, true]);
    expect(known.map(({ readRows }) => readRows)).toEqual([0, 0, 0, 0]);
    expect((await set({})).status).toBe(200);
  });

  it('translates a search without running it, and shows the fingerprint of its records', async () => {
    const answer = await call('POST', '/admin/proxy/_translate?index=logs', search('web-2'), {
      'x-opaque-id': 'translated',
    });
    expect(answer.status).toBe(200);
    const { statements } = answer.json() as unknown as {
      readonly statements: readonly Readonly<Record<string, unknown>>[];
    };
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      expect(Object.keys(statement)).toEqual(['sql', 'parameters', 'text', 'fingerprint']);
      expect(statement['sql']).toMatch(/\{p\d+:String\}/);
      expect(statement['sql']).not.toContain('web-2');
      expect(Object.values(statement['parameters'] as object)).toContain('web-2');
      expect(statement['text']).toContain("(`host` = 'web-2')");
      expect(statement['fingerprint']).toBe("v1 `default`.`logs` WHERE (`host` = 'web-2')");
    }
    await searched(search('web-2'), { 'x-opaque-id': 'ran' });
    const ran = await records('ran', 2);
    expect(ran.map(({ sql }) => sql).sort()).toEqual(statements.map(({ text }) => text).sort());
    await expect(records('translated', 0)).resolves.toEqual([]);
  });

  const json = { 'content-type': 'application/json' };

  it.each([
    { query: { nope: {} } },
    { size: 10_001 },
    { query: { term: { status: 'text' } } },
    '{',
  ])('answers a wrong search %j as the search itself does', async (body) => {
    const translated = await call('POST', '/admin/proxy/_translate?index=logs', body, json);
    const answered = await call('POST', '/kibana/logs/_search', body, json);
    expect([translated.status, translated.json()]).toEqual([400, answered.json()]);
  });

  it.each(['?index=logs&unknown=1', '?index=', '', '?index=other', '?index=logs,slow'])(
    'answers a wrong translation %s with 400',
    async (parameters) => {
      const answer = await call('POST', `/admin/proxy/_translate${parameters}`, {});
      expect(answer.status).toBe(400);
    },
  );

  it('refuses what an entry of the query blacklist matches, before anything runs', async () => {
    const sql = "v1 `default`.`logs` WHERE (`host` = 'web-3')";
    const made = await call('POST', '/admin/proxy/_black_list', { range: '3600000', sql });
    expect(made.status).toBe(201);
    const entry = made.json();
    expect(entry).toMatchObject({ result: 'created', range: '3600000', sql, lastMatchedAt: null });
    const id = String(entry['id']);
    const refused = await searched(search('web-3'), { 'x-opaque-id': 'refused' });
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      error: {
        type: 'illegal_argument_exception',
        reason: `[kibana-clickhouse] the search is on the query blacklist: entry [${id}] forbids it over a time range of [3600000] ms or more`,
      },
    });
    for (const { error, readRows } of await records('refused', 2))
      expect([error?.reason, readRows]).toEqual([expect.stringContaining(id), undefined]);
    const lines = [{ index: 'logs' }, search('web-3'), { index: 'logs' }, search('web-0')];
    const ndjson = `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`;
    const both = await call('POST', '/kibana/_msearch', ndjson, {
      'content-type': 'application/x-ndjson',
    });
    expect(both.json()['responses']).toMatchObject([{ status: 400 }, { status: 200 }]);
    const listed = (await call('GET', '/admin/proxy/_black_list')).json();
    expect(listed).toMatchObject({ entries: [{ id, sql, lastMatchedAt: expect.any(String) }] });
    expect((await call('POST', '/admin/proxy/_black_list', { range: 3_600_000, sql })).status).toBe(
      200,
    );
    expect((await call('DELETE', `/admin/proxy/_black_list/${id}`)).status).toBe(200);
    expect((await searched(search('web-3'))).status).toBe(200);
    expect((await call('DELETE', `/admin/proxy/_black_list/${id}`)).status).toBe(404);
  });

  it('keeps any text, and says when it can never match', async () => {
    const made = await call('POST', '/admin/proxy/_black_list', { range: 0, sql: ' select 1 ' });
    expect(made.json()).toMatchObject({
      sql: 'select 1',
      range: '0',
      warning: expect.stringContaining('never match'),
    });
    await call('DELETE', `/admin/proxy/_black_list/${String(made.json()['id'])}`);
  });

  it.each<[string, string, JsonObject | string | undefined, number]>([
    ['POST', '', undefined, 400],
    ['POST', '', '[]', 400],
    ['POST', '', '{"range":1', 400],
    ['POST', '', { sql: 'a' }, 400],
    ['POST', '', { range: 1 }, 400],
    ['POST', '', { range: '1m', sql: 'a' }, 400],
    ['POST', '', { range: -1, sql: 'a' }, 400],
    ['POST', '', { range: 1.5, sql: 'a' }, 400],
    ['POST', '', { range: '99999999999999999999', sql: 'a' }, 400],
    ['POST', '', { range: true, sql: 'a' }, 400],
    ['POST', '', { range: 1, sql: '  ' }, 400],
    ['POST', '', { range: 1, sql: 7 }, 400],
    ['POST', '', { range: 1, sql: 'x'.repeat(1_000_001) }, 400],
    ['POST', '', { range: 1, sql: 'a', id: 'mine' }, 400],
    ['POST', '?nope=1', { range: 1, sql: 'a' }, 400],
    ['GET', '?nope=1', undefined, 400],
    ['DELETE', '/unknown', undefined, 404],
    ['DELETE', '/unknown?nope=1', undefined, 400],
    ['DELETE', '', undefined, 405],
    ['PUT', '/unknown', undefined, 405],
    ['GET', '/a/b', undefined, 400],
  ])('answers a wrong %s %s %j with %d and changes nothing', async (method, path, body, status) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await call(method, `/admin/proxy/_black_list${path}`, body, headers);
    expect(answer.status).toBe(status);
    expect((await call('GET', '/admin/proxy/_black_list')).json()).toEqual({ entries: [] });
  });

  it('answers no path of the administration on the route of Kibana', async () => {
    const sql = 'v1 `default`.`logs`';
    for (const [method, path, body] of [
      ['GET', '/proxy/_black_list', undefined],
      ['POST', '/proxy/_black_list', { range: 0, sql }],
      ['DELETE', '/proxy/_black_list/x', undefined],
      ['POST', '/proxy/_translate?index=logs', search('web-1')],
    ] as const) {
      const answer = await call(method, `/kibana${path}`, body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toMatch(/statements|entries|created/);
    }
    expect((await call('GET', '/admin/proxy/_black_list')).json()).toEqual({ entries: [] });
  });

  it.each(['cut', 'silent'] as const)(
    'answers searches while the line to Elasticsearch is %s, and records them afterwards',
    async (quality) => {
      line.quality = quality;
      const opaqueId = `away-${quality}`;
      try {
        for (let i = 0; i < 20; i++)
          expect((await searched(search('web-1'), { 'x-opaque-id': opaqueId })).status).toBe(200);
        // what is down is found by writing to it; what is silent only after its time limit
        expect(quality === 'silent' || (await eventually(isMonitorDegraded))).toBe(true);
      } finally {
        line.quality = 'good';
      }
      expect(await records(opaqueId, 40)).toHaveLength(40);
    },
  );

  async function isMonitorDegraded(): Promise<boolean> {
    const { parts } = (await call('GET', '/admin/health')).json() as unknown as {
      readonly parts: Readonly<Record<string, { readonly status: string }>>;
    };
    return parts['monitor']?.status === 'degraded';
  }

  it('holds no secret in a record, an answer or a line of the log', async () => {
    await ask(sharedJudgeUrl(), '/proxy-*/_refresh', { method: 'POST' });
    const kept = await ask(sharedJudgeUrl(), '/proxy-*/_search?size=1000');
    const texts = [kept.text, ...answers, ...log];
    expect(log.length).toBeGreaterThan(0);
    expect(kept.text).toContain('web-1');
    for (const secret of [...Object.values(secrets), reader.password])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
