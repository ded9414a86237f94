import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { DataDirInUse } from '../../src/server/db/owner.ts';
import { type EmptyDatabase, emptySqlite } from '../support/databases.ts';

let place: EmptyDatabase;
let children: ChildProcess[];
beforeEach(async () => {
  place = await emptySqlite();
  children = [];
});
afterEach(async () => {
  for (const child of children) await end(child);
  await place.remove();
});

const open = () => openDatabase({ ...place.env, DATABASE_URL: undefined });

/** Another process that has opened the database and keeps it. */
async function owner(): Promise<ChildProcess> {
  const program = `
    const { openDatabase } = await import(${JSON.stringify(new URL('../../src/server/db/open.ts', import.meta.url).href)});
    await openDatabase({ DATA_DIR: ${JSON.stringify(place.env.DATA_DIR)}, DATABASE_URL: undefined });
    console.log('open');
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

it('refuses a second process with a sentence that names the first', async () => {
  const first = await owner();
  const refusal = await open().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataDirInUse);
  expect(String(refusal)).toContain(`PID ${first.pid}`);
  expect(String(refusal)).toContain(place.env.DATA_DIR);
});

it('refuses a second opening in the same process, and opens again after a close', async () => {
  const first = await open();
  await expect(open()).rejects.toBeInstanceOf(DataDirInUse);
  await first.db.selectFrom('tokens').selectAll().execute();
  await first.close();
  await (await open()).close();
});

it('is not blocked by what a killed process left', async () => {
  for (let round = 0; round < 3; round += 1) await end(await owner());
  const database = await open();
  expect(await database.db.selectFrom('tokens').selectAll().execute()).toEqual([]);
  await database.close();
});
