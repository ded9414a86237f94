import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { CHANNELS } from '../../../domain/channels.ts';
import type { Deps } from '../../deps.ts';
import { GIVE_UP_AFTER } from '../notifications/pace.ts';
import { registerCounters } from './counters.ts';
import { type Open, registerGauges } from './gauges.ts';
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
  const since = new Date(now().getTime() - GIVE_UP_AFTER);
  const reading = Promise.all([
    countOpenVisits(db),
    ...CHANNELS.map(async (channel) => ({ channel, ...(await readQueue(db, channel, since)) })),
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
