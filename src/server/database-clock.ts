import type { Logger } from 'pino';
import { type Clock, type ClockReadings, createClock, plainClock, readClocks } from './clock.ts';
import { readClock } from './db/counters.ts';
import type { Database } from './db/open.ts';
import { startInterval } from './work/every.ts';

/** Interval between readings of the database's clock, in ms. */
const POLL_MS = 5_000;
/** Readings at startup; the first one may include the time to connect. */
const INITIAL_READS = 3;
/** Maximum difference between the machine's clock and the database's, in ms. Beyond it the node isn't ready. */
const MAX_OFFSET_MS = 2_000;

type Options = {
  /** Returns the database's time in ms since 1970. Rejects while the database is unavailable. */
  ask: () => Promise<number>;
  read?: () => ClockReadings;
  log: Pick<Logger, 'warn' | 'info' | 'debug'>;
};

/**
 * Creates the clock that several nodes on one PostgreSQL share: the database's time, read at intervals. Between readings, a clock that
 * never jumps continues it. A reading is exact only to its round trip, so the current offset changes only if it is outside that range.
 * Rejects if the database can't be read at startup.
 */
export async function databaseClock({ ask, read = readClocks, log }: Options): Promise<Clock> {
  /** Difference from the steady clock to the database's time, in ms; null before the first reading. */
  let offset: number | null = null;
  let isReportedOff = false;

  async function readOffset(): Promise<void> {
    const requestedAt = read().steady;
    const time = await ask();
    const [earliest, latest] = [time - read().steady, time - requestedAt];
    offset = Math.min(Math.max(offset ?? (earliest + latest) / 2, earliest), latest);
  }
  const at = ({ steady }: ClockReadings) => steady + (offset ?? 0);

  function isOff(): boolean {
    const readings = read();
    const ahead = Math.round(readings.wall - at(readings));
    const off = Math.abs(ahead) > MAX_OFFSET_MS;
    if (off && !isReportedOff)
      log.warn({ ahead_ms: ahead }, "this machine's clock is not the database's: this node isn't ready");
    if (!off && isReportedOff) log.info({ ahead_ms: ahead }, "this machine's clock is the database's again");
    isReportedOff = off;
    return off;
  }

  for (let n = 0; n < INITIAL_READS; n += 1) await readOffset();
  isOff();
  const poll = startInterval(
    POLL_MS,
    () => readOffset().finally(isOff),
    // The clock continues with its current offset. Callers that need the database report the outage themselves.
    (error) => log.debug({ err: error }, "the database's clock could not be read"),
  );
  return {
    now: () => new Date(at(read())),
    heldJumpMs: () => 0,
    acceptJump: () => {},
    isOff,
    stop: () => poll.stop(),
  };
}

type OpenOptions = { log: Logger; now?: () => Date; machine?: () => ClockReadings };

/** Opens the clock of this process: the database's time on PostgreSQL, otherwise its own. `now` and `machine` are for tests. */
export async function openClock({ log, now, machine }: OpenOptions, database: Database): Promise<Clock> {
  if (now) return plainClock(now);
  const read = machine && { read: machine };
  if (database.kind === 'postgres') return databaseClock({ ask: () => readClock(database.db), ...read, log });
  return createClock({ ...read, onJump: (ms) => log.warn({ ms }, 'the clock jumped') });
}
