import { DIAGNOSIS } from '../../../domain/diagnosis.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { randomPassNumber, signPass, verifyPass } from '../../auth/pass.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/https.ts';
import { publishChange } from '../../live/announce.ts';
import type { Refusal } from '../../refused.ts';
import { type DiagnosisPassRow, deletePass, findPass, savePass, validPasses } from './diagnosis.repo.ts';

type PassRequest = { nome?: string | undefined; anew?: boolean | undefined };

/**
 * Returns the pass for a phone name and the site's address, if known. Reuses the valid pass, or creates one for a week.
 * With `anew` it always creates one, and the earlier pass becomes invalid.
 */
export async function createDiagnosisPass(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'env' | 'sharing' | 'live' | 'log'>,
  _actor: AdminActor,
  { nome = '', anew = false }: PassRequest,
): Promise<DiagnosisPassRow & { pass: string; public_url: string | null }> {
  const name = nome.trim();
  const stored = await deps.inTransaction(async (tx) => {
    const good = anew ? [] : await validPasses(tx, deps.now());
    return good.find((pass) => pass.nome === name) ?? newPass(tx, name, deps.now());
  });
  publishChange(deps, 'diagnosis');
  const claim = { ends: new Date(stored.scadenza), generation: stored.id };
  return {
    ...stored,
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

/** Revokes a pass; requests with it are refused from now on. */
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

/** Proof that the caller's phone may be tested, and nothing else. Created only here. */
export type PhoneOwner = { readonly nome: string; readonly ends: Date; readonly [brand]: true };

/** Returns the phone name and expiry of a pass. Refuses a foreign, expired or revoked pass. */
export async function verifyDiagnosisPass(
  { db, secret, now }: Pick<Deps, 'db' | 'secret' | 'now'>,
  pass: string | null,
): Promise<PhoneOwner | Refusal<'DIAGNOSIS_OVER'>> {
  const claim = pass === null ? null : verifyPass(secret, 'diagnosis', pass, now());
  // A foreign pass is refused without a query.
  const stored = claim === null ? undefined : await findPass(db, claim.generation);
  if (claim === null || stored === undefined || stored.scadenza !== claim.ends.toISOString())
    return { refused: 'DIAGNOSIS_OVER' };
  return { nome: stored.nome, ends: claim.ends, [brand]: true };
}
