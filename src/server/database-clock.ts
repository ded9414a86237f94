import type { Logger } from 'pino';
import { type Clock, type ClockReadings, createClock, plainClock, readClocks } from './clock.ts';
import type { Database } from './db/open.ts';
import { readClock } from './db/ping.ts';
import { startInterval } from './work/every.ts';

/** Time between two looks at the database's clock, in ms. */
const EVERY_MS = 5_000;
/** Looks at the start: the first one may have waited for its connection. */
const FIRST_LOOKS = 3;
/** A machine's own clock may be so far from the database's, in ms. Beyond that the node takes no part. */
const MOST_OFF_MS = 2_000;

type Options = {
  /** The database's time, in ms since 1970. Rejects while it is away. */
  ask: () => Promise<number>;
  read?: () => ClockReadings;
  log: Pick<Logger, 'warn' | 'info' | 'debug'>;
};

/**
 * The time of several nodes on one PostgreSQL: the database's, whatever the machine's own clock says. It is asked for again and again; in
 * between a clock that never jumps goes on from there. An answer says when it was somewhere between asking and hearing, so that what is known
 * already stays as it is unless the answer disproves it. Rejects when the database can't be asked at the start.
 */
export async function databaseClock({ ask, read = readClocks, log }: Options): Promise<Clock> {
  /** What the steady clock lacks to the database's, in ms. */
  let offset: number | null = null;
  let saidOff = false;

  async function look(): Promise<void> {
    const asked = read().steady;
    const time = await ask();
    const [least, most] = [time - read().steady, time - asked];
    offset = Math.min(Math.max(offset ?? (least + most) / 2, least), most);
  }
  const at = ({ steady }: ClockReadings) => steady + (offset ?? 0);

  function isOff(): boolean {
    const readings = read();
    const ahead = Math.round(readings.wall - at(readings));
    const off = Math.abs(ahead) > MOST_OFF_MS;
    if (off && !saidOff)
      log.warn({ ahead_ms: ahead }, "this machine's clock is not the database's: this node isn't ready");
    if (!off && saidOff) log.info({ ahead_ms: ahead }, "this machine's clock is the database's again");
    saidOff = off;
    return off;
  }

  for (let n = 0; n < FIRST_LOOKS; n += 1) await look();
  isOff();
  const looks = startInterval(
    EVERY_MS,
    () => look().finally(isOff),
    // What is known goes on, and whoever needs the database says that it is away.
    (error) => log.debug({ err: error }, "the database's clock could not be read"),
  );
  return {
    now: () => new Date(at(read())),
    heldJumpMs: () => 0,
    acceptJump: () => {},
    isOff,
    stop: () => looks.stop(),
  };
}

type OpenOptions = { log: Logger; now?: () => Date; machine?: () => ClockReadings };

/** The clock of a process: the nodes of one database have its time, a single process has its own. `now`, `machine`: in a test. */
export async function openClock({ log, now, machine }: OpenOptions, database: Database): Promise<Clock> {
  if (now) return plainClock(now);
  const read = machine && { read: machine };
  if (database.kind === 'postgres') return databaseClock({ ask: () => readClock(database.db), ...read, log });
  return createClock({ ...read, onJump: (ms) => log.warn({ ms }, 'the clock jumped') });
}
