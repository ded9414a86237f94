import { createHmac } from 'node:crypto';
import type { TryLimit } from '../../domain/tries.ts';
import type { Deps } from '../deps.ts';
import { type Network, networksOf } from '../http/network.ts';
import type { Refused } from '../refused.ts';
import {
  type Counter,
  counterKey,
  type Guesser,
  type Look,
  ownOf,
  readFailures,
  type TryKind,
} from './failures.repo.ts';
import { createSemaphore, type Semaphore, SemaphoreFull } from './semaphore.ts';
import { createSpacing, type Spacing } from './spacing.ts';

export type TooMany = Refused<'TOO_MANY_ATTEMPTS'> & { secondi: number };

/** The doors where something may be guessed: codes, and sign-in. In this process; what is counted is in the database. */
export type Tries = {
  /**
   * Lets somebody try, when the wrong answers of their networks allow it, and always when their own has none: one try at a time for each
   * network, and before the others whoever has not failed. Who has to wait is refused without asking the database, in a line with all who
   * have to. `work` counts its wrong answer by `countFailure`, in the transaction that judges, and refuses with `tooMany` when that says so.
   */
  run<T>(guesser: Guesser, work: () => Promise<T>): Promise<T | TooMany>;
  /** Is a refusal without a look worth a line in the log? Once a minute for each network, 60 times in all; the others are counted. */
  mention(guesser: Guesser): boolean;
  /** How many refusals were not mentioned since this was asked last. */
  takeUnmentioned(): number;
};

/** What `work` did, or how long to stay away, in ms. */
type Turn<T> = { did: T } | { wait: number };

/** Tries of one network that may wait for each other. As many as an address may have connections. */
const LINE = 200;
/** How long to stay away when there are more, in ms. */
const BUSY_MS = 3_000;
/** Who was held until their pause was over is told to stay away so long, in ms. */
const LEAST_MS = 1_000;
/** Looks at the counters that may take a connection of the database at once. */
const LOOKS = 2;
const MENTIONED_A_MINUTE = 60;
/** Networks that this process remembers as resting. The database knows the others. */
const REMEMBERED = 10_000;

/**
 * @param semaphore how many tries may be under way at once in this process, whoever makes them
 * @param spacing the line of those who have to wait
 */
export function createTries({
  db,
  now,
  semaphore,
  spacing = createSpacing(),
}: Pick<Deps, 'db' | 'now'> & { semaphore: Semaphore; spacing?: Spacing }): Tries {
  const looks = createSemaphore(LOOKS);
  const ownLine = createLines();
  const wideLine = createLines();
  const resting = createMemory();

  async function look(guesser: Guesser): Promise<Look> {
    const known = resting.wait(ownOf(guesser), now().getTime());
    if (known > 0) return { wait: known, failed: true, slowed: false };
    const found = await looks.run(() => readFailures(db, guesser, now()));
    if (found.wait > 0) resting.note(ownOf(guesser).key, now().getTime() + found.wait);
    return found;
  }

  async function through<T>(work: () => Promise<T>, behind: boolean): Promise<Turn<T>> {
    try {
      return { did: await semaphore.run(work, { behind }) };
    } catch (error) {
      if (error instanceof SemaphoreFull) return { wait: BUSY_MS };
      throw error;
    }
  }

  async function inTurn<T>(guesser: Guesser, work: () => Promise<T>): Promise<Turn<T>> {
    const { wait, failed, slowed } = await look(guesser);
    if (wait > 0) return { wait };
    // In the same line, but let in at its end.
    if (slowed) await spacing();
    if (!failed) return through(work, slowed);
    // Of all the networks within the widest no more may be looked at than are told.
    return wideLine(guesser[0].key, async () => {
      const after = await look(guesser);
      return after.wait > 0 ? after : through(work, true);
    });
  }

  return {
    async run(guesser, work) {
      const own = ownOf(guesser);
      const wait = resting.wait(own, now().getTime());
      const turn = wait > 0 ? { wait } : await ownLine(own.key, () => inTurn(guesser, work));
      if ('did' in turn) return turn.did;
      const held = await spacing();
      return tooMany(Math.max(turn.wait - held, LEAST_MS));
    },
    ...createMentions(now),
  };
}

/** What somebody is told who has to wait so long, in ms. */
export function tooMany(wait: number): TooMany {
  return { refused: 'TOO_MANY_ATTEMPTS', secondi: Math.ceil(wait / 1_000) };
}

type Limits = Record<Network['reach'], TryLimit>;

/** The counters of an address's networks. Addresses are kept only as keyed hashes. */
export function networkTries(kind: TryKind, secret: Buffer, address: string, limits: Limits): Guesser {
  const counters = networksOf(address).map(({ reach, name }) => counterOf(kind, secret, name, limits[reach]));
  return counters as [Counter, ...Counter[]];
}

/** The counter of something that fails by itself, wherever it is. */
export function counterOf(kind: TryKind, secret: Buffer, name: string, limit: TryLimit): Counter {
  const hash = createHmac('sha256', secret).update(`${kind}:${name}`).digest('base64url');
  return { key: counterKey(kind, hash), limit };
}

/** One piece of work at a time for each key, in the order they came; none when too many wait already. */
function createLines() {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async <T>(key: string, work: () => Promise<Turn<T>>): Promise<Turn<T>> => {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= LINE) return { wait: BUSY_MS };
    line.length += 1;
    lines.set(key, line);
    const mine = line.last.then(work).finally(() => {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    });
    line.last = mine.catch(() => undefined);
    return mine;
  };
}

/** Until when networks rest, as far as this process has seen it. */
function createMemory() {
  const until = new Map<string, number>();
  return {
    note(key: string, end: number) {
      if (until.size >= REMEMBERED) until.clear();
      until.set(key, end);
    },
    wait: ({ key, limit }: Counter, time: number) => {
      const wait = (until.get(key) ?? time) - time;
      // Longer than anybody waits: the clock was set back.
      return wait > limit.everyMs ? 0 : Math.max(0, wait);
    },
  };
}

function createMentions(now: () => Date): Pick<Tries, 'mention' | 'takeUnmentioned'> {
  let minute = 0;
  let unmentioned = 0;
  const mentioned = new Set<string>();
  return {
    mention([{ key }]) {
      const current = Math.floor(now().getTime() / 60_000);
      if (current !== minute) mentioned.clear();
      minute = current;
      if (mentioned.has(key) || mentioned.size >= MENTIONED_A_MINUTE) {
        unmentioned += 1;
        return false;
      }
      mentioned.add(key);
      return true;
    },
    takeUnmentioned() {
      const count = unmentioned;
      unmentioned = 0;
      return count;
    },
  };
}
