import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { CHANNELS } from '../../../domain/channels.ts';
import type { Deps } from '../../deps.ts';
import { registerCounters } from './counters.ts';
import { countOpenVisits, readQueue } from './metrics.repo.ts';

/** Metrics of this process for Prometheus. */
export type Metrics = {
  contentType: string;
  /** Returns the present values in Prometheus' text format; without those of the database if it does not answer. */
  text(): Promise<string>;
  /** Adds a source of open live streams. */
  watch(open: () => Open): void;
  close(): void;
};

type MetricsDeps = Pick<Deps, 'db' | 'live' | 'log' | 'mediaWorker' | 'uploads' | 'now'>;

/** Timeout of the database in ms, below the 10 s that Prometheus waits. */
const ANSWER_MS = 3_000;

export function openMetrics(deps: MetricsDeps): Metrics {
  const watched: (() => Open)[] = [];
  const register = new Registry();
  collectDefaultMetrics({ register });
  registerGauges(register, { ...deps, open: () => watched.map((open) => open()) });
  const end = registerCounters(register, deps);
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
    close: end,
  };
}

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

/** Open live streams by kind of client. */
export type Open = { visitor: number; administrator: number };

type GaugeSource = Pick<Deps, 'live' | 'mediaWorker' | 'uploads'> & {
  /** Returns them for each listener of this process. */
  open(): Open[];
};

/** Registers gauges of this process, read at each scrape. */
export function registerGauges(
  register: Registry,
  { live, mediaWorker, uploads: { jobs }, open }: GaugeSource,
): void {
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name: `sorpresa_${name}`,
      help,
      registers: [register],
      async collect() {
        this.set(await value());
      },
    });
  keepConnections(register, open);
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

function keepConnections(register: Registry, open: GaugeSource['open']): Gauge {
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

/** Returns the resident memory of a process in bytes; 0 if it has ended. */
async function residentBytes(pid: number | null): Promise<number> {
  const status = pid === null ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
