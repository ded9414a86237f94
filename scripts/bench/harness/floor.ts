/**
 * The baseline: Hono on Node's own server, node:sqlite with one commit per event-loop turn, files by Node's streams in
 * both directions, bare event streams. The product's additional work is the difference between both figures.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { type HttpBindings, serve } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { bareStreams } from './floor-streams.ts';

/** Folder with `film.mp4`. */
const [folder = ''] = process.argv.slice(2);
const film = join(folder, 'film.mp4');

const db = new DatabaseSync(join(folder, 'floor.db'));
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('create table codes (id integer primary key, used integer); insert into codes values (1, 0)');
for (const table of ['visits', 'entries', 'events'])
  db.exec(`create table ${table} (id text primary key, content text)`);
const use = db.prepare('update codes set used = used + 1 where id = 1');
const inserts = ['visits', 'entries', 'events'].map((table) =>
  db.prepare(`insert into ${table} values (?, ?)`),
);
const stored = JSON.stringify({
  frasi: Array.from({ length: 40 }, () => 'una frase di una sera '.repeat(4)),
});
inserts[0]?.run('stored', stored);
const read = db.prepare('select content from visits where id = ?');

let waiting: { body: string; done: () => void }[] = [];
function commit(): void {
  const batch = waiting;
  waiting = [];
  db.exec('begin immediate');
  for (const { body } of batch) {
    use.run();
    for (const insert of inserts) insert.run(crypto.randomUUID(), body);
  }
  db.exec('commit');
  for (const { done } of batch) done();
}

const app = new Hono<{ Bindings: HttpBindings }>();
app.get('/hello', (c) => c.text('hello'));
app.post('/hello', async (c) => c.json(await c.req.json()));
app.get('/row', (c) => c.json(JSON.parse(String(read.get('stored')?.content))));
app.post('/enter', async (c) => {
  const body = await c.req.text();
  await new Promise<void>((done) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ body, done });
  });
  return c.json({ entered: true });
});
app.get('/film', (c) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(c.req.header('range') ?? '') ?? [];
  const { outgoing } = c.env;
  outgoing.writeHead(206, { 'Content-Length': String(Number(end) - Number(start) + 1) });
  createReadStream(film, { start: Number(start), end: Number(end), highWaterMark: 1024 ** 2 }).pipe(outgoing);
  return RESPONSE_ALREADY_SENT;
});
app.put('/upload', async (c) => {
  await pipeline(c.env.incoming, createWriteStream(join(folder, 'uploaded'), { flush: true }));
  return c.json({});
});
const streams = bareStreams();
app.route('/', streams.app);
app.post('/tell', (c) => {
  streams.tellAll();
  return c.json({});
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once('SIGTERM', () => process.exit(0));
