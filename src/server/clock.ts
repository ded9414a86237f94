import type { Logger } from 'pino';
import { readClock } from './db/counters.ts';
import type { Database } from './db/open.ts';
import { startInterval } from './work/timers.ts';

/** Readings of the wall clock and of a clock that never jumps, in ms. */
export type ClockReadings = { wall: number; steady: number };

/** The server's time. */
export type Clock = {
  now(): Date;
  /** Returns the difference between the wall clock and the server's time, in ms, caused by ignored jumps; negative if behind. */
  heldJumpMs(): number;
  /** Accepts the ignored jumps: the server's time equals the wall clock again. */
  acceptJump(): void;
  /** Returns true if this machine's clock differs too much from the shared time for the node to take part. */
  isOff(): boolean;
  /** Stops the clock; `now` must not be called afterwards. */
  stop(): Promise<void>;
};

/** Jumps up to this many ms (usual clock corrections) are accepted at once: they close no visit. */
const JUMP_MS = 90_000;

const readClocks = (): ClockReadings => ({ wall: Date.now(), steady: performance.now() });

/** Creates a clock that returns `now` unchanged. It holds no jump, and as the clock of a single process it is never off. */
const plainClock = (now: () => Date): Clock => ({
  now,
  heldJumpMs: () => 0,
  acceptJump: () => {},
  isOff: () => false,
  stop: async () => {},
});

/**
 * Creates a clock that follows the wall clock but ignores its jumps, for example after a manual change by a day. Time then continues
 * steadily, so that no running visit ends, until `acceptJump` is called when there is no visit. A restart begins with the wall clock again.
 * @param onJump receives each ignored jump in ms
 */
export function createClock(onJump: (ms: number) => void, read = readClocks): Clock {
  let last = read();
  let heldMs = 0;

  function readTime(): number {
    const readings = read();
    const jump = readings.wall - last.wall - (readings.steady - last.steady);
    last = readings;
    if (Math.abs(jump) > JUMP_MS) {
      heldMs += jump;
      onJump(jump);
    }
    return readings.wall - heldMs;
  }

  return {
    ...plainClock(() => new Date(readTime())),
    heldJumpMs: () => {
      readTime();
      return heldMs;
    },
    acceptJump: () => {
      heldMs = 0;
    },
  };
}

/** Interval between readings of the database's clock, in ms. */
const POLL_MS = 5_000;
/** Readings at startup; the first one may include the time to connect. */
const INITIAL_READS = 3;
/** Maximum difference between the machine's clock and the database's, in ms. Beyond it the node isn't ready. */
const MAX_OFFSET_MS = 2_000;

/**
 * Creates the clock that several nodes on one PostgreSQL share: the database's time, read at intervals. Between readings, a clock that
 * never jumps continues it. A reading is exact only to its round trip, so the current offset changes only if it is outside that range.
 * Rejects if the database can't be read at startup.
 * @param ask returns the database's time in ms since 1970; rejects while the database is unavailable
 */
export async function databaseClock(
  ask: () => Promise<number>,
  log: Pick<Logger, 'warn' | 'info' | 'debug'>,
  read = readClocks,
): Promise<Clock> {
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
  return { ...plainClock(() => new Date(at(read()))), isOff, stop: () => poll.stop() };
}

type OpenOptions = { log: Logger; now?: () => Date; machine?: () => ClockReadings };

/** Opens the clock of this process: the database's time on PostgreSQL, otherwise its own. `now` and `machine` are for tests. */
export async function openClock({ log, now, machine }: OpenOptions, database: Database): Promise<Clock> {
  if (now) return plainClock(now);
  if (database.kind === 'postgres') return databaseClock(() => readClock(database.db), log, machine);
  return createClock((ms) => log.warn({ ms }, 'the clock jumped'), machine);
}
