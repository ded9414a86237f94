import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DISK_SPACE } from '../../domain/limits.ts';
import { reachOf } from '../../domain/reach.ts';
import { errorCode } from '../../server/db/errors.ts';
import { isKnownMigration, lastMigration, latestMigration } from '../../server/db/migrate.ts';
import { explainDatabaseError, openUnmigrated } from '../../server/db/open.ts';
import type { Env } from '../../server/env.ts';
import { listen } from '../../server/http/server.ts';
import { nameTrouble, portTrouble } from '../../server/https/rules.ts';
import { createLog } from '../../server/log.ts';
import { NO_FFMPEG } from '../../server/media-worker/door.ts';
import { createMediaWorker } from '../../server/media-worker/worker.ts';
import { ROOT } from '../../server/place.ts';
import { openStorage, type StorageEnv, storageName } from '../../server/storage/open.ts';
import { troubleWords } from '../../texts/certificate.ts';
import { doctorTexts as texts, upgradeTexts } from '../../texts/commands.ts';

/** Result of one check: good, worth a note, or a failure. */
export type CheckResult = { mark: 'good' | 'note' | 'bad'; text: string };

const good = (text: string): CheckResult => ({ mark: 'good', text });
const note = (text: string): CheckResult => ({ mark: 'note', text });
const bad = (text: string): CheckResult => ({ mark: 'bad', text });
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Oldest supported major version. */
const MIN_NODE = 24;

export function checkNode(version: string = process.versions.node): CheckResult {
  return Number.parseInt(version, 10) >= MIN_NODE
    ? good(texts.node.good(version))
    : bad(texts.node.old(version, MIN_NODE));
}

/** Returns the folder if it exists, else its nearest existing ancestor, in which it would be created. */
function nearestExisting(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : nearestExisting(above);
}

/** Checks that the data folder is usable and belongs to this user, or can be created. Changes nothing. */
export function checkFolder({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): CheckResult {
  const path = resolve(DATA_DIR);
  const existing = nearestExisting(path);
  const { uid, mode } = statSync(existing);
  if (!statSync(existing).isDirectory()) return bad(texts.folder.noFolder(existing));
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return bad(texts.folder.shut(existing, String(uid)));
  }
  if (existing !== path) return good(texts.folder.absent(path));
  const isForeign = process.platform !== 'win32' && (mode & 0o077) !== 0 && uid !== process.getuid?.();
  return isForeign ? bad(texts.folder.open(path)) : good(texts.folder.good(path));
}

/** Checks that the database answers, and compares its version. */
export async function checkData(env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>): Promise<CheckResult> {
  if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, 'sorpresa.db')))
    return good(texts.data.none);
  try {
    const { db, close } = await openUnmigrated(env);
    const last = await lastMigration(db).finally(close);
    if (last === null) return good(texts.data.none);
    if (!isKnownMigration(last))
      return bad(upgradeTexts.newer(resolve(env.DATA_DIR), last, latestMigration()));
    return last === latestMigration() ? good(texts.data.current) : note(texts.data.older);
  } catch (error) {
    return bad(reasonOf(explainDatabaseError(env, error)));
  }
}

/** Checks that the bucket answers, if files are stored in one. */
export async function checkBucket(env: StorageEnv): Promise<CheckResult[]> {
  if (env.S3_BUCKET === undefined) return [];
  try {
    await (await openStorage(env)).check();
    return [good(texts.bucket.good(storageName(env)))];
  } catch (error) {
    return [bad(texts.bucket.bad(reasonOf(error)))];
  }
}

const GIGABYTE = 1_000_000_000;
const inGigabytes = (bytes: number) =>
  `${(bytes / GIGABYTE).toLocaleString('it-IT', { maximumFractionDigits: 1 })} GB`;

/** @param room free bytes; by default those of the data folder's disk */
export function checkDisk({ DATA_DIR }: Pick<Env, 'DATA_DIR'>, room?: number): CheckResult {
  const { bavail, bsize } = statfsSync(nearestExisting(resolve(DATA_DIR)));
  const free = room ?? bavail * bsize;
  if (free < DISK_SPACE.reserve + DISK_SPACE.low) return bad(texts.disk.none(inGigabytes(free)));
  return free < 2 * GIGABYTE
    ? note(texts.disk.little(inGigabytes(free)))
    : good(texts.disk.good(inGigabytes(free)));
}

/** Lets the media worker process a song and a picture of the demo. */
export async function checkMediaWorker(): Promise<CheckResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sorpresa-'));
  const worker = createMediaWorker({ log: createLog({ LOG_LEVEL: 'silent' }) });
  const control = { signal: new AbortController().signal, progress: () => undefined };
  const media = (name: string) => join(ROOT, 'demo/media', name);
  try {
    const song = await worker.run({ task: 'probe', kind: 'song', path: media('canzone.mp3') }, control);
    const outputPath = join(folder, 'picture');
    const path = media('destinazione-1.jpg');
    const picture = await worker.run({ task: 'picture', path, output: outputPath, use: 'shown' }, control);
    for (const result of [song, picture])
      if ('refused' in result) return bad(texts.films.bad(result.refused));
    return good(texts.films.good);
  } catch (error) {
    return bad(
      errorCode(error) === NO_FFMPEG
        ? texts.films.none(`${process.platform}-${process.arch}`)
        : texts.films.bad(reasonOf(error)),
    );
  } finally {
    await worker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks that the product can listen on its port. A running product is only noted. */
export async function checkPort(env: Pick<Env, 'HOST' | 'PORT'>): Promise<CheckResult> {
  const endpoint = `${env.HOST}:${env.PORT}`;
  const server = createServer();
  try {
    await listen(server, env);
    return good(texts.port.good(endpoint));
  } catch (error) {
    return (await isProductRunning(env)) ? note(texts.port.alreadyRunning(endpoint)) : bad(reasonOf(error));
  } finally {
    server.close();
  }
}

/** If HTTPS_DOMAIN is set, checks that the certificate's ports are available and that the names lead to this machine. */
export async function checkHttpsPorts(
  env: Pick<Env, 'HOST' | 'PORT' | 'HTTP_PORT' | 'HTTPS_PORT' | 'HTTPS_DOMAIN'>,
): Promise<CheckResult[]> {
  const { HTTPS_DOMAIN: names, HTTP_PORT, HTTPS_PORT } = env;
  if (names === undefined) return [];
  return Promise.all([
    ...[HTTP_PORT, HTTPS_PORT].map((port) => checkListenerPort(env, port)),
    ...names.map(async (name) => {
      const trouble = await nameTrouble(name);
      return trouble === null ? good(texts.name(name)) : bad(troubleText(trouble));
    }),
  ]);
}

async function checkListenerPort(env: Pick<Env, 'HOST' | 'PORT'>, port: number): Promise<CheckResult> {
  const server = createServer();
  const endpoint = `${env.HOST}:${port}`;
  try {
    await listen(server, { HOST: env.HOST, PORT: port });
    return good(texts.port.good(endpoint));
  } catch (error) {
    const trouble = portTrouble(port, error instanceof Error ? error.cause : error);
    const isTaken = trouble.kind === 'port_taken';
    return isTaken && (await isProductRunning(env))
      ? note(texts.port.alreadyRunning(endpoint))
      : bad(troubleText(trouble));
  } finally {
    server.close();
  }
}

function troubleText(trouble: Parameters<typeof troubleWords>[0]): string {
  const { what, todo } = troubleWords(trouble);
  return `${what} ${todo}`;
}

async function isProductRunning({ HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): Promise<boolean> {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  try {
    const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${PORT}/healthz`, {
      signal: AbortSignal.timeout(3_000),
    });
    return answer.headers.has('x-request-id');
  } catch {
    return false;
  }
}

export function checkAddress({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): CheckResult {
  if (PUBLIC_URL === undefined || reachOf(new URL(PUBLIC_URL).hostname) !== 'public')
    return note(texts.address.local);
  return PUBLIC_URL.startsWith('https:')
    ? good(texts.address.good(PUBLIC_URL))
    : note(texts.address.plain(PUBLIC_URL));
}
