import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadinessEntry } from '../../src/contract/admin/dashboard.ts';
import { openUnmigrated } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { call } from '../support/http.ts';
import { ok, saveConfig, walkTo } from '../support/http-evening.ts';
import { checkInvariants } from '../support/invariants.ts';
import { prepare } from '../support/prepared.ts';
import { newFolder, type SpawnedServer } from '../support/server.ts';
import { BOT_TOKEN, CHAT_ID, type TelegramServer, telegramServer } from '../support/telegram.ts';

/** A disk that is really full, at every point of an evening: nothing is lost, no access is blocked, and the evening continues. */

const MB = 1024 ** 2;

let disk: SmallDisk;
let server: SpawnedServer;
let telegram: TelegramServer;
let admin: string;
beforeEach(async () => {
  disk = await smallDisk(240);
  telegram = await telegramServer();
  await start();
  admin = await prepare(server.url, { telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
});
afterEach(async () => {
  await server.end('SIGKILL');
  await telegram.close();
  await disk.remove();
});

async function start(): Promise<void> {
  const env = { TELEGRAM_API_ROOT: telegram.root, TRUSTED_PROXIES: '127.0.0.1' };
  server = await spawnBundled({ dataDir: join(disk.folder, 'data'), through: disk.through, env });
}
const reserve = () =>
  stat(join(disk.seen, 'data', 'reserve')).then(
    ({ size }) => size,
    () => 0,
  );
const held = () => expect.poll(reserve, { timeout: 20_000 }).toBe(32 * MB);
/** Each evening has another address, to avoid the limits on attempts. */
let evening = 0;
const post = (path: string, body: unknown, cookie?: string) =>
  call(server.url, 'POST', path, body, { cookie, headers: { 'x-forwarded-for': `10.0.${evening}.1` } });
const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: admin });

/** Values that one evening's steps pass on. */
type EveningState = { code: string; attempt_id: string; cookie: string };

const STEPS: Record<string, (context: EveningState) => Promise<unknown>> = {
  'a page is saved': () => save({ contatto: `@${randomUUID().slice(0, 8)}` }),
  'a code is made': async (context) => {
    const code = { nome: 'Lei', max_accessi: 1, giorni: null };
    context.code = ok(await asAdmin('POST', '/admin/tokens', code)).body.token;
  },
  'a wrong code is refused': async () => {
    const body = { token: 'ROM-ZZZZZZZZ', attempt_id: randomUUID(), device_id: 'device-else' };
    expect([403, 429]).toContain((await post('/access', body)).status);
  },
  'she enters': async (context) => {
    const body = { token: context.code, attempt_id: context.attempt_id, device_id: 'device-lei' };
    context.cookie = ok(await post('/access', body)).cookie;
  },
  'her first stages': ({ cookie }) => walkTo(server, cookie, 'video'),
  'all other stages, her answers and the end': async ({ cookie }) => {
    await walkTo(server, cookie, 'closing', 2);
    ok(await post('/visit/complete', {}, cookie));
  },
  'the server dies': async () => {
    await server.end('SIGKILL');
    await start();
  },
  'the administrator signs in on another device': async () => {
    const account = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    ok(await post('/auth/sign-in/email', account));
  },
};

const save = (fields: Record<string, unknown>) => saveConfig(server, admin, fields);

/** Returns true if readiness reports too little space on the disk. */
async function isDiskLow(): Promise<boolean> {
  const { prepared } = ok(await asAdmin('GET', '/admin/ready/answer')).body;
  return prepared.some(({ id, state }: ReadinessEntry) => id === 'disk_room' && state !== 'ready');
}

/** Returns the violated invariants and the number of answers and completed visits, after the server has stopped. */
async function stored() {
  const folder = await newFolder();
  // A server that stops on a full disk may leave its write-ahead log, which belongs to the database.
  await copyFile(join(disk.seen, 'data/sorpresa.db'), join(folder, 'sorpresa.db'));
  const wal = 'sorpresa.db-wal';
  if (existsSync(join(disk.seen, 'data', wal)))
    await copyFile(join(disk.seen, 'data', wal), join(folder, wal));
  const { db, close } = await openUnmigrated({ DATA_DIR: folder, DATABASE_URL: undefined });
  const answers = await db.selectFrom('checkbox_responses').select('id').execute();
  const visits = db.selectFrom('active_sessions').select('id');
  const completed = await visits.where('completed_at', 'is not', null).execute();
  const laws = await checkInvariants(db, new Date());
  await close();
  await rm(folder, { recursive: true });
  return { laws, answers: answers.length, completed: completed.length };
}

test('completes every step of an evening on a disk that fills up before any of them', async () => {
  const steps = Object.entries(STEPS);
  for (const [full, [when]] of steps.entries()) {
    evening += 1;
    await held();
    const context: EveningState = { code: '', attempt_id: randomUUID(), cookie: '' };
    for (const [n, [name, take]] of steps.entries()) {
      if (n === full) {
        await disk.fill();
        expect(await disk.free()).toBe(0);
      }
      await Promise.resolve(take(context)).catch((error: unknown) => {
        const output = server.output().slice(-2_000);
        throw new Error(`Full before «${when}», «${name}» failed: ${error}\n${output}`);
      });
    }
    await server.end('SIGTERM');
    expect(await stored()).toEqual({ laws: [], answers: 2 * (full + 1), completed: full + 1 });
    await disk.empty();
    await start();
  }
  expect(server.output()).not.toMatch(/"level":60/);
});

test('reports a full disk once by Telegram, and on the dashboard and in the log; recovers when there is space', async () => {
  await held();
  await disk.fill();
  await save({ contatto: '@nuovo' });
  expect(await reserve()).toBe(0);
  await expect
    .poll(() => telegram.messages.map(({ text }) => text).join(), { timeout: 20_000 })
    .toContain('Spazio');
  expect(await isDiskLow()).toBe(true);
  expect(server.output()).toContain('the disk was full');
  await disk.empty();
  expect(await isDiskLow()).toBe(false);
  await server.end('SIGTERM');
  await start();
  await held();
  expect(telegram.messages.filter(({ text }) => text.includes('Spazio'))).toHaveLength(1);
});

test('reports a full disk at startup without a reserve, and starts when there is space', async () => {
  await held();
  await server.end('SIGTERM');
  await rm(join(disk.seen, 'data', 'reserve'));
  await disk.fill();
  await expect(start()).rejects.toThrow(/The disk is full: make room/);
  await disk.empty();
  await start();
});

/** A real disk of a few MB that can be filled to its last byte. */
type SmallDisk = {
  /** Path for programs that are started `through` the disk's namespace. */
  folder: string;
  /** Prefix of a command that makes the disk visible to it. */
  through: string[];
  /** Path of the same folder for this process. */
  seen: string;
  free(): Promise<number>;
  /** Fills the disk. */
  fill(): Promise<void>;
  /** Deletes the data that `fill` wrote. */
  empty(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Mounts the disk in a separate namespace, which root and, if the kernel permits it, other users may create. Rejects with an explanation
 * if that fails.
 */
async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-disk-'));
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=0700 none ${folder} && echo ready && exec cat`;
  const holder = spawn('unshare', ['-Urm', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  await ready(holder).catch(async (error: unknown) => {
    await rmdir(folder);
    throw error;
  });
  const seen = `/proc/${holder.pid}/root${folder}`;
  const filling = join(seen, 'filling');
  const free = async () => {
    const { bavail, bsize } = await statfs(seen);
    return bavail * bsize;
  };
  return {
    folder,
    through: ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials'],
    seen,
    free,
    async fill() {
      const file = await open(filling, 'a');
      try {
        for (let left = await free(); left > 0; left = await free())
          await file.write(Buffer.alloc(Math.min(left, 1024 * 1024), 1));
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filling, { force: true }),
    async remove() {
      const ended = once(holder, 'exit');
      holder.stdin?.end();
      await ended;
      await rmdir(folder);
    },
  };
}

async function ready(holder: ChildProcess): Promise<void> {
  const ended = once(holder, 'exit').then(() => {
    throw new Error(
      'This check needs a small disk of its own: «unshare -Urm» and a mount of tmpfs must be allowed here.',
    );
  });
  await Promise.race([once(holder.stdout as NodeJS.ReadableStream, 'data'), ended]);
}
