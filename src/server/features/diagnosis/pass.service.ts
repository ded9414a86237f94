import { DIAGNOSIS } from '../../../domain/diagnosis.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { randomPassNumber, signPass, verifyPass } from '../../auth/pass.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/https.ts';
import { publishChange } from '../../live/announce.ts';
import type { Refusal } from '../../refused.ts';
import { type DiagnosisPassRow, deletePass, findPass, savePass, validPasses } from './diagnosis.repo.ts';

type Wish = { nome?: string | undefined; anew?: boolean | undefined };

/**
 * The pass for the phone of that name, and where phones find the site, if the installation knows. It is the one that is still good, or else a new
 * one, good for a week; asked for `anew` it is a new one in any case, and the one before is good no more.
 */
export async function createDiagnosisPass(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'env' | 'sharing' | 'live' | 'log'>,
  _actor: AdminActor,
  { nome = '', anew = false }: Wish,
): Promise<DiagnosisPassRow & { pass: string; public_url: string | null }> {
  const name = nome.trim();
  const kept = await deps.inTransaction(async (tx) => {
    const good = anew ? [] : await validPasses(tx, deps.now());
    return good.find((pass) => pass.nome === name) ?? newPass(tx, name, deps.now());
  });
  publishChange(deps, 'diagnosis');
  const claim = { ends: new Date(kept.scadenza), generation: kept.id };
  return {
    ...kept,
    pass: signPass(deps.secret, 'diagnosis', claim),
    public_url: siteAddress(deps),
  };
}

async function newPass(
  tx: Parameters<typeof savePass>[0],
  nome: string,
  now: Date,
): Promise<DiagnosisPassRow> {
  const scadenza = new Date(now.getTime() + DIAGNOSIS.passMs).toISOString();
  const pass = { id: randomPassNumber(), nome, scadenza };
  await savePass(tx, pass);
  return pass;
}

/** Takes a pass back: whoever came in with it is refused from now on. */
export async function revokeDiagnosisPass(
  { inTransaction, live, log }: Pick<Deps, 'inTransaction' | 'live' | 'log'>,
  _actor: AdminActor,
  { id }: { id: number },
): Promise<object | Refusal<'NOT_FOUND'>> {
  if (!(await inTransaction((tx) => deletePass(tx, id)))) return { refused: 'NOT_FOUND' };
  publishChange({ live, log }, 'diagnosis');
  return {};
}

const brand = Symbol('PhoneOwner');

/** Somebody whose phone may be tried, and nothing more. Minted only here. */
export type PhoneOwner = { readonly nome: string; readonly ends: Date; readonly [brand]: true };

/** Whose phone a pass is for, and when it ends; refused when it is none of ours, has ended or was taken back. */
export async function verifyDiagnosisPass(
  { db, secret, now }: Pick<Deps, 'db' | 'secret' | 'now'>,
  pass: string | null,
): Promise<PhoneOwner | Refusal<'DIAGNOSIS_OVER'>> {
  const claim = pass === null ? null : verifyPass(secret, 'diagnosis', pass, now());
  // What isn't ours is refused without asking anybody.
  const kept = claim === null ? undefined : await findPass(db, claim.generation);
  if (claim === null || kept === undefined || kept.scadenza !== claim.ends.toISOString())
    return { refused: 'DIAGNOSIS_OVER' };
  return { nome: kept.nome, ends: claim.ends, [brand]: true };
}
