import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallTime, callsWhile, p, told } from '../support/call-times.ts';
import { createClient } from '../support/client.ts';
import { complaintsOn, readFilm } from '../support/ffmpeg.ts';
import { type Heavy, heaviest } from '../support/heaviest.ts';
import type { Answered } from '../support/http.ts';
import { lyingFilms, lyingPictures, lyingSongs, lyingTickets } from '../support/lying-numbers.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { newFolder, peakMemory, type SpawnedServer, spawnServer } from '../support/server.ts';
import { type SmallFile, smallMedia } from '../support/small-media.ts';
import { announce, filmOf, finish, idOf, send, upload } from '../support/uploads.ts';

/**
 * What a visitor feels while the worst of files are worked on, and what server and worker take for it. The figures are printed; only what
 * would freeze or swell the product by far fails.
 */

const MB = 1024 ** 2;
/**
 * The collector of garbage lets a server that only answers grow for a minute or two, by 0 to 46 MB in one of them, and takes it back: so often it is looked at, for
 * so long (ms), to see how far it goes by itself.
 */
const IDLE = { times: 4, ms: 60_000 } as const;
const LOOK_MS = 20;
/** A call that waits so much longer than the slowest without work waits for the file (ms). */
const FROZEN_MS = 2_000;
/** What the server may grow by beyond that, and what its worker may hold (bytes). */
const MOST = { server: 20 * MB, worker: 1_000 * MB } as const;
/** The sources are of one second. What lies about time may be shown slower, but nobody shows one picture for so long (seconds). */
const MOST_SECONDS = 60;

let folder: string;
let files: string;
let sources: SmallFile[];
let server: SpawnedServer;
let admin: string;
let visitor: string;
let idle: { quiet: CallTime[]; usual: number };
const client = createClient(2);
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'hostile-'));
  sources = await smallMedia(files);
  folder = await newFolder();
  server = await spawnServer({ dataDir: folder, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  admin = await prepare(server.url);
  const [code] = await makeCodes(server.url, admin, 1);
  const entry = { token: code?.token, attempt_id: randomUUID(), device_id: 'device-1-y' };
  visitor = (await client.post(server.url, '/access', entry, { from: '192.0.2.7' })).cookie;
  // What a large file needs once it has had: only what a hostile one needs beyond that is looked at.
  const to = { url: server.url, cookie: admin };
  for (let n = 0; n < 3; n += 1)
    expect((await upload(to, 'video', await filmOf(64 * MB))).body.state).toBe('done');
  idle = await quietly();
  console.log(`Without work the server goes up and down by ${Math.round(idle.usual / MB)} MB.`);
}, 480_000);
afterAll(async () => {
  client.close();
  await server.end('SIGTERM');
  for (const each of [folder, files]) await rm(each, { recursive: true, force: true });
});

/** Her calls while nothing is worked on, and how far what the server holds goes up and down meanwhile (bytes). */
async function quietly(): Promise<{ quiet: CallTime[]; usual: number }> {
  const quiet: CallTime[] = [];
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let n = 0; n < IDLE.times; n += 1) {
    least = Math.min(least, memoryNow());
    const until = performance.now() + IDLE.ms;
    quiet.push(...(await callsWhile(client, server.url, visitor, () => performance.now() < until)));
    most = Math.max(most, peakMemory(server));
  }
  return { quiet, usual: most - least };
}

const source = (name: string) => {
  const found = sources.find((each) => each.name === name);
  if (found === undefined) throw new Error(`No ${name}.`);
  return found;
};

function lies(): Heavy[] {
  const all: [string, { name: string; bytes: Buffer }[]][] = [
    ['video', lyingFilms(source('h264.mp4'))],
    ['canzone', lyingSongs(source('song.wav'))],
    ['immagine', lyingPictures(source('interlaced.png'))],
    ['biglietti', lyingTickets(source('plain.pdf'))],
  ];
  return all.flatMap(([slot, lying]) => lying.map((each) => ({ slot, ...each })));
}

/** The most that the server's child has ever held (bytes); 0 without one, and of one that has just ended. */
function workerPeak(): number {
  const { pid } = server.process;
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    const status = child === '' ? '' : readFileSync(`/proc/${child}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** What the server holds (bytes). From here on the system counts its greatest size anew. */
function memoryNow(): number {
  writeFileSync(`/proc/${server.process.pid}/clear_refs`, '5');
  return peakMemory(server);
}

type Ended = {
  file: Heavy;
  end: Answered;
  from: number;
  to: number;
  grown: number;
  worker: number;
  kept: string | null;
};

/** Sends a file, as often as it comes at once, and waits for the end. */
async function workOn(file: Heavy): Promise<Ended> {
  const to = { url: server.url, cookie: admin };
  const { slot, bytes, atOnce = 1 } = file;
  const before = memoryNow();
  const from = performance.now();
  const ids = await Promise.all(
    Array.from({ length: atOnce }, async (_, n) => {
      const id = idOf(await announce(to, bytes.length, { slot, filename: `${n}.bin` }));
      expect((await send(to, id, 0, bytes)).status).toBe(204);
      return id;
    }),
  );
  let worker = 0;
  const looking = setInterval(() => (worker = Math.max(worker, workerPeak())), LOOK_MS);
  const ends = await Promise.all(ids.map((id) => finish(to, id)));
  clearInterval(looking);
  const grown = peakMemory(server) - before;
  const [end] = ends;
  if (end === undefined) throw new Error('Nothing was sent.');
  expect(new Set(ends.map(({ status, body }) => `${status} ${body.codice}`)).size).toBe(1);
  const over = performance.now();
  return { file, end, from, to: over, grown, worker, kept: await fetched(end) };
}

/** Another song takes its place, so it is fetched at once. Where it lies. */
async function fetched({ body }: Answered): Promise<string | null> {
  if (body.item === undefined) return null;
  const response = await fetch(`${server.url}${body.item.url}`, { headers: { cookie: admin } });
  const path = join(files, body.item.url.split('/').at(-1));
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return path;
}

const fateOf = ({ end }: Ended) => end.body.codice ?? end.body.state;

function tell(all: readonly Ended[], calls: readonly CallTime[], quiet: readonly CallTime[]): void {
  const during = ({ from, to }: Ended) => calls.filter(({ at }) => at >= from && at <= to);
  for (const each of all) {
    const own = during(each);
    const memory = `server +${Math.round(each.grown / MB)} MB, worker ${Math.round(each.worker / MB)} MB`;
    const seconds = ((each.to - each.from) / 1_000).toFixed(1);
    if (all.length < 40)
      console.log(`${each.file.name}: ${fateOf(each)} after ${seconds} s; ${told(own)}; ${memory}`);
  }
  const busy = all.flatMap(during);
  const fates = [...Map.groupBy(all, fateOf)];
  console.log(Object.fromEntries(fates.map(([fate, own]) => [fate, own.length])));
  console.log(
    [
      `a visitor's call without work: ${told(quiet)}; while ${all.length} files are worked on: ${told(busy)}`,
      `p99 apart by ${(p(busy, 99) - p(quiet, 99)).toFixed(1)} ms`,
      `the server grew by ${Math.round(Math.max(...all.map(({ grown }) => grown)) / MB)} MB at most, the worker held ${Math.round(Math.max(...all.map(({ worker }) => worker)) / MB)} MB at most`,
    ].join('\n'),
  );
}

/** Whatever was accepted: whole, and no longer than it can be. What is wrong with it. */
async function faultsOf({ file, kept }: Ended): Promise<string[]> {
  if (kept === null || kept.endsWith('.pdf')) return [];
  const complaints = await complaintsOn(kept);
  const { video, audio } = await readFilm(kept);
  const seconds = Math.max(video?.end ?? 0, audio?.end ?? 0);
  const faults = [complaints, seconds > MOST_SECONDS ? `${seconds} s` : ''].filter(Boolean);
  return faults.map((fault) => `${file.name}: ${fault}`);
}

test.each([
  ['the worst there are', () => heaviest(source('h264.mp4'), source('song.m4a'), source('plain.png'))],
  ['one lying number in a file that is right', lies],
])('%s: her evening goes on as if nothing were there', { timeout: 45 * 60_000 }, async (_name, make) => {
  const made = make();
  const { quiet, usual } = idle;
  let going = true;
  const calling = callsWhile(client, server.url, visitor, () => going);
  const all: Ended[] = [];
  for (const file of made) all.push(await workOn(file));
  going = false;
  const calls = await calling;
  tell(all, calls, quiet);
  const ours = all.filter(({ end }) => ![200, 422].includes(end.status));
  expect(ours.map(({ file, end }) => `${file.name}: ${end.status} ${end.text}`)).toEqual([]);
  const faults: string[] = [];
  for (const each of all) faults.push(...(await faultsOf(each)));
  expect(faults).toEqual([]);
  expect(p(calls, 100)).toBeLessThan(p(quiet, 100) + FROZEN_MS);
  expect(Math.max(...all.map(({ grown }) => grown)) - usual).toBeLessThan(MOST.server);
  expect(Math.max(...all.map(({ worker }) => worker))).toBeLessThan(MOST.worker);
});

test('then the worker ends, nothing lies about, and the server has had no error of its own', async () => {
  await expect.poll(workerPeak, { timeout: 60_000, interval: 500 }).toBe(0);
  const left = (await readdir(join(folder, 'uploads'))).filter((name) => !name.endsWith('.refused'));
  expect(left).toEqual([]);
  expect(server.process.exitCode).toBeNull();
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
