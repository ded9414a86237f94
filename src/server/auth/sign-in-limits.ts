import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { lockCounter, removeCounter, setCounter } from '../db/counters.ts';
import type { InTransaction } from '../deps.ts';
import { forgiveAttempt } from './auth.repo.ts';

const HOUR = 3_600_000;
const PER_ADDRESS_AND_HOUR = 20;
/** Wrong passwords that cost no waiting: everybody mistypes. */
const FREE = 3;
const LONGEST_WAIT = 180_000;
const FORGOTTEN_AFTER = 24 * HOUR;

/** Who tries: the address, and the account, or the device that has signed in to it before. */
export type Attempt = { address: string; account: string };

export type Taken = { ok: true } | { ok: false; secondi: number };

export type SignInLimits = {
  /** Counts an attempt before its password is looked at, or says how long to wait. */
  take(attempt: Attempt): Promise<Taken>;
  /** The password was right: the account's count starts afresh, and the attempt doesn't weigh on the address. */
  succeed(attempt: Attempt): Promise<void>;
  /** No password was looked at after all. */
  giveBack(attempt: Attempt): Promise<void>;
};

/** How long an account rests after so many wrong passwords in a row, in ms: at most 30 tries an hour in the long run. */
export function restAfter(failures: number): number {
  return failures < FREE ? 0 : Math.min(LONGEST_WAIT, 1_000 * 2 ** (failures - FREE));
}

/**
 * Wrong passwords are counted per address (20 an hour, IPv6 by /64) and per account (a growing rest), in the database: all nodes
 * and every restart know them. Addresses and e-mails are kept only as keyed hashes.
 */
export function createSignInLimits(
  inTransaction: InTransaction,
  secret: Buffer,
  now: () => Date,
): SignInLimits {
  const keysOf = ({ address, account }: Attempt) => ({
    address: keyOf(secret, 'address', networkOf(address)),
    account: keyOf(secret, 'account', account),
  });
  return {
    take: (attempt) => inTransaction((tx) => take(tx, keysOf(attempt), now())),
    succeed: (attempt) => inTransaction((tx) => succeed(tx, keysOf(attempt))),
    giveBack: (attempt) => inTransaction((tx) => giveBack(tx, keysOf(attempt))),
  };
}

type Keys = { address: string; account: string };
type Tx = Parameters<Parameters<InTransaction>[0]>[0];

async function take(tx: Tx, keys: Keys, now: Date): Promise<Taken> {
  const time = now.getTime();
  const address = await lockCounter(tx, keys.address, now);
  const account = await lockCounter(tx, keys.account, now);
  const window = address.resets_at > time ? address : { points: 0, resets_at: time + HOUR };
  const failures = account.resets_at > time ? account.points : 0;
  const rested = account.resets_at - FORGOTTEN_AFTER + restAfter(failures);
  const until = Math.max(window.points >= PER_ADDRESS_AND_HOUR ? window.resets_at : 0, rested);
  if (until > time) return { ok: false, secondi: Math.ceil((until - time) / 1_000) };
  await setCounter(tx, keys.address, window.points + 1, window.resets_at);
  await setCounter(tx, keys.account, failures + 1, time + FORGOTTEN_AFTER);
  return { ok: true };
}

async function succeed(tx: Tx, keys: Keys): Promise<void> {
  await forgiveAttempt(tx, keys.address);
  await removeCounter(tx, keys.account);
}

async function giveBack(tx: Tx, keys: Keys): Promise<void> {
  await forgiveAttempt(tx, keys.address);
  await forgiveAttempt(tx, keys.account);
}

function keyOf(secret: Buffer, kind: string, value: string): string {
  return `sign-in:${createHmac('sha256', secret).update(`${kind}:${value}`).digest('base64url')}`;
}

/** An IPv6 customer has a whole /64: its first four groups count as one address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const zeros = Array.from({ length: missing }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
