import { isSiteClosed } from '../../../domain/access.ts';
import { PLAN_B_PASS } from '../../../domain/plan-b.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { drawnNumber, readPass, sealedPass } from '../../auth/pass.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { findSite } from '../config/config.repo.ts';
import { siteKey } from './kept-answers.service.ts';
import { findPhone, letPhoneIn, notePhone, sendPhoneAway } from './phones.repo.ts';
import { latestMade } from './plan-b.repo.ts';

type Given = { id: number; nome: string; scadenza: string; pass: string; public_url: string | null };

/** Lets a phone keep the sealed evening; the pass that was given under this name before is good no more. */
export async function letKeep(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'env' | 'live' | 'log'>,
  _actor: AdminActor,
  { nome }: { nome: string },
): Promise<Given> {
  const ends = new Date(deps.now().getTime() + PLAN_B_PASS.lifeMs);
  const phone = { id: drawnNumber(), nome: nome.trim(), scadenza: ends.toISOString() };
  await deps.inTransaction((tx) => letPhoneIn(tx, phone));
  announce(deps, 'plan_b');
  const pass = sealedPass(deps.secret, 'plan_b', { ends, generation: phone.id });
  return { ...phone, pass, public_url: deps.env.PUBLIC_URL ?? null };
}

/** Takes a pass back: the phone lets go of everything when it hears of it. */
export async function haveItGo(
  deps: Pick<Deps, 'inTransaction' | 'live' | 'log'>,
  _actor: AdminActor,
  { id }: { id: number },
): Promise<object | Refused<'NOT_FOUND'>> {
  if (!(await deps.inTransaction((tx) => sendPhoneAway(tx, id)))) return { refused: 'NOT_FOUND' };
  announce(deps, 'plan_b');
  return {};
}

const brand = Symbol('Keeper');

/** Somebody whose phone may keep the sealed evening, and nothing more. Minted only here. */
export type Keeper = { readonly id: number; readonly ends: Date; readonly [brand]: true };

/** Which phone a pass is for; refused when it is none of ours, has ended or was taken back, or the site has closed. */
export async function acceptKeeper(
  { db, secret, now }: Pick<Deps, 'db' | 'secret' | 'now'>,
  pass: string | null,
): Promise<Keeper | Refused<'PLAN_B_OVER'>> {
  const over = { refused: 'PLAN_B_OVER' } as const;
  const claim = pass === null ? null : readPass(secret, 'plan_b', pass, now());
  if (claim === null) return over;
  const [phone, site] = await Promise.all([findPhone(db, claim.generation), findSite(db)]);
  const isGood = phone?.scadenza === claim.ends.toISOString();
  if (!isGood || isSiteClosed(site?.data_laurea ?? null, now())) return over;
  return { id: claim.generation, ends: claim.ends, [brand]: true };
}

/** Notes what a phone keeps, and tells it what there is. */
export async function hearPhone(
  deps: Pick<Deps, 'db' | 'inTransaction' | 'secret' | 'now' | 'live' | 'log'>,
  pass: string | null,
  { version: keeps, user_agent }: { version: string | null; user_agent: string },
): Promise<{ version: string | null; key: string } | Refused<'PLAN_B_OVER'>> {
  const keeper = await acceptKeeper(deps, pass);
  if (isRefused(keeper)) return keeper;
  const seen_at = deps.now().toISOString();
  const said = { seen_at, keeps, user_agent: user_agent.slice(0, PLAN_B_PASS.userAgentSigns) };
  await deps.inTransaction((tx) => notePhone(tx, keeper.id, said));
  announce(deps, 'plan_b');
  const made = await latestMade(deps.db);
  return { version: made?.id ?? null, key: siteKey(deps.secret).point };
}
