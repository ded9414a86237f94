import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

/** Below these, known holes are open: ways around a guard by `%2F` and `//`, and a corruption of SQLite's write-ahead log. */
const LEAST = { hono: '4.12.21', '@hono/node-server': '1.19.13', sqlite: '3.51.3' };

test.each(['hono', '@hono/node-server'] as const)(
  '%s is not older than the repair of its known holes',
  (name) => {
    expect(compare(installed(name), LEAST[name])).toBeGreaterThanOrEqual(0);
  },
);

test('the SQLite inside Node is not older than its last known corruption', () => {
  const database = new DatabaseSync(':memory:');
  const row = database.prepare('select sqlite_version() as version').get();
  database.close();
  expect(compare(String(row?.version), LEAST.sqlite)).toBeGreaterThanOrEqual(0);
});

test('versions are compared by their numbers', () => {
  expect(compare('4.9.0', '4.12.21')).toBeLessThan(0);
  expect(compare('3.51.3', '3.51.3')).toBe(0);
  expect(compare('10.0.0', '9.9.9')).toBeGreaterThan(0);
});

function installed(name: string): string {
  // Neither package shows its package.json: it is found next to what it exports.
  const entry = createRequire(import.meta.url).resolve(name);
  const end = entry.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}/`.length;
  const description = JSON.parse(readFileSync(`${entry.slice(0, end)}package.json`, 'utf8')) as {
    version: string;
  };
  return description.version;
}

function compare(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  for (const [n, part] of (left ?? []).entries()) {
    const difference = part - (right?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
