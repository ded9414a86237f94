import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from 'vitest';
import type { OpenTestDatabase } from './databases.ts';
import { openTestServer, type TestServer } from './deps.ts';
import { configure } from './visits.ts';

const SERVER = join(import.meta.dirname, '../../src/server');

/**
 * The folders whose queries a file of tests/contracts calls, each exported function at least once; `records` covers all
 * others. A query is a function whose first parameter is the database or a transaction, and which contains SQL itself.
 */
const FOLDERS = {
  visit: ['access', 'questions', 'sessions', 'tokens', 'visit'],
  content: ['bin', 'config', 'hues', 'light', 'media', 'plan-b', 'ready', 'uploads'],
  queue: ['notifications'],
  records: [],
};

/**
 * Called on PostgreSQL by tests/faults/archive.test.ts, tests/long/identity.test.ts and tests/api/live-nodes.test.ts.
 */
const TESTED_ELSEWHERE = ['archive', 'identity', 'live', 'db'];
const ON_DATABASE = /^export (?:async )?function (\w+)(?:<.*>)?\(\s*(?:tx|db): Db\b/gm;
const STATEMENT = /^const (\w+) = statement\b/gm;
const SQL = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;

type Subject = keyof typeof FOLDERS;

function subjectOf(folder: string): Subject {
  const subjects: Subject[] = ['visit', 'content', 'queue'];
  return subjects.find((subject) => FOLDERS[subject].some((known) => known === folder)) ?? 'records';
}

/**
 * Starts a server with a complete evening before each test. After all tests, fails if an exported function of the
 * subject's repositories was not called. Call inside a `describe`.
 */
export function useRepositories(subject: Subject, open: OpenTestDatabase): TestServer {
  // Filled before any test starts.
  const server = {} as TestServer;
  const spies: [string, MockInstance][] = [];
  const called = new Set<string>();
  beforeAll(async () => {
    for await (const path of glob(join(SERVER, '**/*.ts'))) {
      const folder = basename(dirname(path));
      if (subjectOf(folder) !== subject || TESTED_ELSEWHERE.includes(folder)) continue;
      const source = await readFile(path, 'utf8');
      const names = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name = '']) => name);
      if (names(ON_DATABASE).length === 0) continue;
      const module: Record<string, () => unknown> = await import(path);
      for (const name of names(ON_DATABASE)) {
        const body = String(module[name]);
        if (SQL.test(body) || names(STATEMENT).some((statement) => body.includes(`${statement}(`)))
          spies.push([`${basename(path)} ${name}`, vi.spyOn(module, name)]);
      }
    }
  });
  beforeEach(async () => {
    Object.assign(server, await openTestServer(open));
    await configure(server);
  });
  afterEach(async () => {
    for (const [name, { mock }] of spies) if (mock.calls.length > 0) called.add(name);
    await server.close();
  });
  afterAll(({}, { tasks }) => {
    for (const [, spy] of spies) spy.mockRestore();
    // Tests skipped by name call nothing.
    if (tasks.some(({ mode }) => mode === 'skip')) return;
    expect(called.size).toBeGreaterThan(0);
    expect(spies.flatMap(([name]) => (called.has(name) ? [] : name))).toEqual([]);
  });
  return server;
}
