import { createHmac } from 'node:crypto';
import { FAILED_CODES } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import type { Refused } from '../../refused.ts';
import { type Counted, readCounter, returnPoints, takePoints } from './failed-codes.repo.ts';
import { networkOf } from './network.ts';

const MINUTE = 60_000;
const EVERYBODY = { key: 'code:everybody', window: MINUTE };

type TooMany = Refused<'TOO_MANY_ATTEMPTS'>;

/** One try at a code, from the moment it was let through. */
export type Try = {
  /** The code was right, or there was nothing to check: it doesn't count. */
  giveBack(): Promise<void>;
  /** The code was wrong: it counts for everybody too. A refusal when by now too many are: then nothing more is told or stored. */
  fail(): Promise<TooMany | null>;
};

/**
 * Counts a try before the code is looked at, or refuses it (threat T1). The address's counters are taken at once and stay locked until
 * the transaction ends, so that parallel tries from one address wait for each other. The counter of everybody is only read here and
 * taken on failure: locked, it would make all entries of the world wait for one another. What many at once can gain by that is
 * nothing: `fail` refuses whoever comes after the last one allowed.
 */
export async function takeTry(tx: Db, secret: Buffer, address: string, now: Date): Promise<Try | TooMany> {
  const network = createHmac('sha256', secret)
    .update(`code-address:${networkOf(address)}`)
    .digest('hex');
  const minute = { key: `code:minute:${network}`, window: MINUTE };
  const hour = { key: `code:hour:${network}`, window: 60 * MINUTE };
  const taken = await takePoints(tx, [minute, hour], now);
  const over = taken.filter(({ key, points }) => points > limitOf(key === minute.key));
  const everybody = await readCounter(tx, EVERYBODY, now);
  if (everybody && everybody.points >= FAILED_CODES.everybodyMinute) over.push(everybody);
  if (over.length > 0) {
    // What isn't checked is no try: it shows in the counter of the minute that refuses it, and lengthens nothing.
    await returnPoints(tx, over.some(({ key }) => key === minute.key) ? [hour] : [minute, hour]);
    return tooMany(over, now);
  }
  return { giveBack: () => returnPoints(tx, [minute, hour]), fail: () => countFailure(tx, now) };
}

function limitOf(inMinute: boolean): number {
  return inMinute ? FAILED_CODES.perAddressMinute : FAILED_CODES.perAddressHour;
}

async function countFailure(tx: Db, now: Date): Promise<TooMany | null> {
  const everybody = await takePoints(tx, [EVERYBODY], now);
  const over = everybody.filter(({ points }) => points > FAILED_CODES.everybodyMinute);
  return over.length > 0 ? tooMany(over, now) : null;
}

function tooMany(over: readonly Counted[], now: Date): TooMany {
  const free = Math.max(...over.map(({ resets_at }) => Date.parse(resets_at)));
  return { refused: 'TOO_MANY_ATTEMPTS', secondi: Math.max(1, Math.ceil((free - now.getTime()) / 1_000)) };
}
