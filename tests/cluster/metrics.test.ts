import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolPath } from '../../scripts/tools.mjs';
import { listen } from '../support/event-source.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { enter } from '../support/http-evening.ts';
import { killOnExit } from '../support/kill-on-exit.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';

/** The files in `ops/metrics`, checked with Debian's Prometheus on a running node. */

const OPS = resolve(import.meta.dirname, '../../ops/metrics');
const TOKEN = 'un-segreto-abbastanza-lungo';
const run = promisify(execFile);
const promtool = (...args: string[]) => run(toolPath('operation', 'promtool'), args, { cwd: OPS });

describe('the rules', () => {
  test('and the configuration are valid for Prometheus', async () => {
    const { stdout } = await promtool('check', 'config', '--lint=all', '--lint-fatal', 'prometheus.yml');
    expect(stdout).toContain('is valid prometheus config file');
    expect((await promtool('check', 'rules', 'alerts.yml')).stdout).toMatch(/SUCCESS: \d+ rules found/);
  });

  test('pass their tests, which contain every alert', async () => {
    await promtool('test', 'rules', 'alerts.test.yml');
    const names = /alert: (\w+)/g;
    const tried = await readFile(join(OPS, 'alerts.test.yml'), 'utf8');
    for (const [, name] of (await readFile(join(OPS, 'alerts.yml'), 'utf8')).matchAll(names))
      expect(tried).toContain(`alertname: ${name}\n        exp_alerts:\n`);
  });
});

describe('a scraped node', () => {
  let folder: string;
  let server: SpawnedServer;
  let prometheus: ChildProcess;
  let [node, api] = ['', ''];

  beforeAll(async () => {
    folder = await newFolder();
    const [own, its] = [await freePort(), await freePort()];
    [node, api] = [`127.0.0.1:${own}`, `http://127.0.0.1:${its}/api/v1`];
    server = await spawnServer({
      dataDir: join(folder, 'data'),
      env: { METRICS_ADDRESS: node, METRICS_TOKEN: TOKEN },
    });
    prometheus = await startPrometheus(folder, its, node);
  });
  afterAll(async () => {
    prometheus.kill('SIGTERM');
    await once(prometheus, 'exit');
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the data of a call to Prometheus' API. */
  async function ask<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    const response = await fetch(`${api}${path}?${new URLSearchParams(query)}`);
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`${JSON.stringify(query)}: ${error}`);
    return data;
  }

  type Sample = { metric: Record<string, string>; value: [number, string] };
  const values = async (query: string) =>
    (await ask<{ result: Sample[] }>('/query', { query })).result.map(({ value }) => Number(value[1]));

  test('is found at the configured address, with its token', async () => {
    await expect.poll(() => values('up').catch(() => [])).toEqual([1]);
  });

  test('shows entries, a refusal and a running stream in Prometheus, and has data for every panel', async () => {
    const cookie = await prepare(server.url);
    const codes = await makeCodes(server.url, cookie, 3);
    const streams = [];
    for (const token of codes) streams.push(await listen(server.url, await enter(server, { token })));
    await call(server.url, 'POST', '/access', { token: 'ROM-ZZZZZZZZ', attempt_id: 'a', device_id: 'b' });
    await expect.poll(() => values('sum(sorpresa_entries_total{kind="new"})')).toEqual([3]);
    await expect.poll(() => values('sum(sorpresa_live_connections{who="visitor"})')).toEqual([3]);
    await expect.poll(() => values('sorpresa_refusals_total')).not.toEqual([]);

    const { panels } = JSON.parse(await readFile(join(OPS, 'grafana.json'), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    expect(panels.length).toBeGreaterThan(15);
    for (const { title, targets: asked } of panels)
      for (const { expr } of asked) {
        const query = expr.replaceAll('$job', 'sorpresa').replaceAll('$__rate_interval', '10s');
        expect(query, title).not.toContain('$');
        // No address has failed.
        if (title === 'Addresses that fail') expect(await values(query), title).toEqual([]);
        else await expect.poll(() => values(query), { message: `${title}: ${query}` }).not.toEqual([]);
      }
    for (const stream of streams) stream.close();
  });

  test('evaluates every rule, and raises only the alerts that apply', async () => {
    type Rule = { name: string; health: string; state: string };
    const read = async () => {
      const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('/rules');
      return groups.flatMap(({ rules }) => rules);
    };
    await expect.poll(async () => (await read()).filter(({ health }) => health !== 'ok')).toEqual([]);
    expect((await read()).filter(({ state }) => state !== 'inactive')).toEqual([]);
    await server.end('SIGKILL');
    await expect
      .poll(async () => (await read()).filter(({ state }) => state !== 'inactive').map(({ name }) => name))
      .toEqual(['SorpresaNodeDown', 'SorpresaAllNodesDown']);
  });
});

/** Starts Prometheus with our configuration, changed only in the node's address, the scrape interval and the token. */
async function startPrometheus(folder: string, port: number, node: string): Promise<ChildProcess> {
  const home = join(folder, 'prometheus');
  await mkdir(home);
  await cp(join(OPS, 'alerts.yml'), join(home, 'alerts.yml'));
  await writeFile(join(home, 'token'), TOKEN);
  const changes = [
    ['_interval: 15s', '_interval: 1s'],
    ['scrape_timeout: 5s', 'scrape_timeout: 1s'],
    ["'127.0.0.1:9464'", `'${node}'`],
    [
      '# authorization: { credentials_file: /etc/prometheus/sorpresa-token }',
      'authorization: { credentials_file: token }',
    ],
  ] as const;
  let config = await readFile(join(OPS, 'prometheus.yml'), 'utf8');
  for (const [from, to] of changes) {
    expect(config).toContain(from);
    config = config.replaceAll(from, to);
  }
  await writeFile(join(home, 'prometheus.yml'), config);
  const flags = [
    '--config.file=prometheus.yml',
    '--storage.tsdb.path=data',
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ];
  const child = spawn(toolPath('operation', 'prometheus'), flags, { cwd: home, stdio: 'inherit' });
  killOnExit(child);
  return child;
}
