import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { metricEvents } from '../../log.ts';
import { isPending } from '../notifications/notifications.repo.ts';

/** Metrics of this process for Prometheus. */
export type Metrics = {
  contentType: string;
  /** Returns the present values in Prometheus' text format; without those of the database if it does not answer. */
  text(): Promise<string>;
  /** Adds a source of open live streams. */
  watch(open: () => Open): void;
  close(): void;
};

/** Open live streams by kind of client. */
type Open = { visitor: number; administrator: number };

type MetricsDeps = Pick<Deps, 'db' | 'live' | 'log' | 'mediaWorker' | 'uploads' | 'now'>;

export function openMetrics(deps: MetricsDeps): Metrics {
  const watched: (() => Open)[] = [];
  const register = new Registry();
  collectDefaultMetrics({ register });
  registerConnections(register, () => watched.map((open) => open()));
  registerGauges(register, deps);
  const close = registerCounters(register, deps);
  const up = new Gauge({
    name: 'sorpresa_database_up',
    help: '1 while the database answers.',
    registers: [register],
  });
  return {
    contentType: register.contentType,
    async text() {
      const stored = await readStored(deps);
      up.set(stored === null ? 0 : 1);
      return (await register.metrics()) + (stored ?? '');
    },
    watch: (open) => void watched.push(open),
    close,
  };
}

/** @param open returns the live streams of each listener of this process */
function registerConnections(register: Registry, open: () => Open[]): Gauge {
  return new Gauge({
    name: 'sorpresa_live_connections',
    help: 'Open live streams of this node, by whose they are.',
    labelNames: ['who'],
    registers: [register],
    collect() {
      const all = open();
      for (const who of ['visitor', 'administrator'] as const)
        this.set(
          { who },
          all.reduce((sum, each) => sum + each[who], 0),
        );
    },
  });
}

/** Registers gauges of this process, read at each scrape. */
function registerGauges(register: Registry, { live, mediaWorker, uploads: { jobs } }: MetricsDeps): void {
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name: `sorpresa_${name}`,
      help,
      registers: [register],
      async collect() {
        this.set(await value());
      },
    });
  gauge(
    'live_own_word_heard',
    '1 while this node hears what it says on the live bus; a deaf one hears no other.',
    () => Number(live.isReceiving()),
  );
  gauge('uploads_in_work', 'Uploads that are checked and made fit, or wait for their turn.', () =>
    jobs.count(),
  );
  gauge('media_worker_running', '1 while there is a media worker.', () => Number(mediaWorker.pid() !== null));
  if (process.platform === 'linux')
    gauge(
      'media_worker_resident_bytes',
      'Memory of the media worker, without programs that it starts; 0 without one.',
      () => residentBytes(mediaWorker.pid()),
    );
}

/** Returns the resident memory of a process in bytes; 0 if it has ended. */
async function residentBytes(pid: number | null): Promise<number> {
  const status = pid === null ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/**
 * Counts the server's events from now on. Labels come from fixed lists (declared routes, refusal codes, methods), never
 * from user input. Returns a function that stops counting.
 */
function registerCounters(register: Registry, { live }: MetricsDeps): () => void {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `sorpresa_${name}_total`, help, labelNames, registers: [register] });
  const entries = counter('entries', 'Codes that let somebody in: new (a use was spent) or resumed.', 'kind');
  const refusals = counter('refusals', 'Answers that were a refusal, by its code.', 'code');
  const sent = counter('media_bytes', 'Bytes of stored files that were sent.');
  const ended = counter('visits_disconnected', 'Visits that were revoked, as this node heard it.');
  const requests = counter(
    'http_requests',
    'Requests that have ended, by method, address and class of status.',
    'method',
    'route',
    'status',
  );
  // A rate includes the first event only if the series existed with 0 before.
  for (const kind of ['new', 'resumed']) entries.inc({ kind }, 0);
  const ends = [
    metricEvents.entry.on(({ spent }) => entries.inc({ kind: spent ? 'new' : 'resumed' })),
    metricEvents.refusal.on(({ code }) => refusals.inc({ code })),
    metricEvents.sent.on(({ bytes }) => sent.inc(bytes)),
    metricEvents.request.on(({ method, route, status }) =>
      requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` }),
    ),
    live.subscribe((message) => {
      if (message.type === 'disconnected') ended.inc(message.session_ids.length);
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** Timeout of the database in ms, below the 10 s that Prometheus waits. */
const ANSWER_MS = 3_000;

/** Returns the values from the database, equal on every node; null on an error or timeout. */
async function readStored({ db, log, now }: MetricsDeps): Promise<string | null> {
  const reading = Promise.all([
    countOpenVisits(db),
    ...CHANNELS.map(async (channel) => ({ channel, ...(await readQueue(db, channel, now())) })),
  ]).catch((error: unknown) => {
    log.warn({ err: error }, 'the database could not be measured');
    return null;
  });
  const read = await Promise.race([reading, delay(ANSWER_MS, null, { ref: false })]);
  if (read === null) return null;
  const [openVisits, ...queues] = read;
  const register = new Registry();
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `sorpresa_${name}`, help, labelNames, registers: [register] });
  gauge('visits_living', 'Visits that are open.').set(openVisits);
  const waiting = gauge('notifications_waiting', 'Messages that are not sent yet, by channel.', 'channel');
  const failed = gauge('notifications_failed', 'Those of them that were tried and failed.', 'channel');
  for (const queue of queues) {
    waiting.set({ channel: queue.channel }, queue.waiting);
    failed.set({ channel: queue.channel }, queue.failed);
  }
  return register.metrics();
}

/** Counts open visits, including those left a moment ago. */
export async function countOpenVisits(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('active_sessions')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the unsent messages of a channel: all, and those whose last attempt failed. */
export async function readQueue(db: Db, channel: ChannelName, now: Date) {
  const counts = await isPending(db, channel, now)
    .select((eb) => {
      const all = eb.fn.countAll();
      return [all.as('waiting'), all.filterWhere('last_error', 'is not', null).as('failed')];
    })
    .executeTakeFirstOrThrow();
  return { waiting: Number(counts.waiting), failed: Number(counts.failed) };
}
