import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { findingsSchema } from '../../../contract/diagnosis.ts';
import { DIAGNOSIS, evaluateFindings, type Findings } from '../../../domain/diagnosis.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { randomPassNumber, signPass, verifyPass } from '../../auth/secrets.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/address.ts';
import { calls, os } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import {
  type DiagnosisPassRow,
  type DiagnosisRow,
  deletePass,
  findPass,
  listDiagnoses,
  removeDiagnosis,
  saveDiagnosis,
  savePass,
  validPasses,
} from './diagnosis.repo.ts';

/** Calls of a phone that is tested before the evening (`/diagnostica`). A pass admits it; `read` only checks the pass. */
export const diagnosisCalls = calls(os.diagnosis, {
  read: async (deps, _input, { cookies }) => {
    const owner = await verifyDiagnosisPass(deps, cookies.diagnosis);
    return isRefused(owner) ? owner : {};
  },
  enter: async (deps, { pass }, request) => {
    const owner = await verifyDiagnosisPass(deps, pass);
    if (isRefused(owner)) return owner;
    request.setPassCookie('diagnosis', pass, owner.ends);
    return {};
  },
  report: async (deps, { id, findings, pass }, { cookies, user_agent }) => {
    // The pass itself for phones that refuse cookies.
    const owner = await verifyDiagnosisPass(deps, pass ?? cookies.diagnosis);
    if (isRefused(owner)) return owner;
    await saveFindings(deps, owner, { id, findings, user_agent });
    return {};
  },
});

/** The administrator's calls: tested phones (`list`, `remove`), and their pass (`pass` creates it, `close` revokes it). */
export const adminDiagnosisCalls = calls(adminCalls.diagnosis, {
  list: listPhones,
  pass: createDiagnosisPass,
  close: revokeDiagnosisPass,
  remove: deleteTestedPhone,
});

const brand = Symbol('PhoneOwner');

/** Proof that the caller's phone may be tested, and nothing else. Created only here. */
export type PhoneOwner = { readonly nome: string; readonly ends: Date; readonly [brand]: true };

/** Returns the phone name and expiry of a pass. Refuses a foreign, expired or revoked pass. */
export async function verifyDiagnosisPass(
  { db, secret, now }: Deps,
  pass: string | null,
): Promise<PhoneOwner | Refusal<'DIAGNOSIS_OVER'>> {
  const claim = pass === null ? null : verifyPass(secret, 'diagnosis', pass, now());
  // A foreign pass is refused without a query.
  const stored = claim === null ? undefined : await findPass(db, claim.generation);
  if (claim === null || stored === undefined || stored.scadenza !== claim.ends.toISOString())
    return refuse('DIAGNOSIS_OVER');
  return { nome: stored.nome, ends: claim.ends, [brand]: true };
}

type PassRequest = { nome?: string | undefined; anew?: boolean | undefined };

/**
 * Returns the pass for a phone name and the site's address, if known. Reuses the valid pass, or creates one for a week.
 * With `anew` it always creates one, and the earlier pass becomes invalid.
 */
export async function createDiagnosisPass(
  ctx: AdminCtx,
  { nome = '', anew = false }: PassRequest,
): Promise<DiagnosisPassRow & { pass: string; public_url: string | null }> {
  const name = nome.trim();
  const stored = await ctx.inTransaction(async (tx) => {
    const good = anew ? [] : await validPasses(tx, ctx.now());
    return good.find((pass) => pass.nome === name) ?? newPass(tx, name, ctx.now());
  });
  publishChange(ctx, 'diagnosis');
  const claim = { ends: new Date(stored.scadenza), generation: stored.id };
  return {
    ...stored,
    pass: signPass(ctx.secret, 'diagnosis', claim),
    public_url: siteAddress(ctx),
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
  { inTransaction, live, log }: AdminCtx,
  { id }: { id: number },
): Promise<Record<string, never> | Refusal<'NOT_FOUND'>> {
  if (!(await inTransaction((tx) => deletePass(tx, id)))) return refuse('NOT_FOUND');
  publishChange({ live, log }, 'diagnosis');
  return {};
}

type Output = InferContractRouterOutputs<typeof contract>['admin']['diagnosis']['list'];

/** Returns the tested phones, evaluated by the present rules, and the valid passes. */
export async function listPhones({ db, now }: AdminCtx): Promise<Output> {
  const [passes, rows] = await Promise.all([validPasses(db, now()), listDiagnoses(db)]);
  return { passes, phones: rows.map(phoneOf) };
}

function phoneOf({ findings: stored, ...row }: DiagnosisRow): Output['phones'][number] {
  const findings = parseFindings(stored);
  return { ...row, findings, ...evaluateFindings(findings) };
}

/** Findings of an older version may not match the schema; then the phone counts as untested. */
export function parseFindings(stored: string): Findings {
  const read = findingsSchema.safeParse(JSON.parse(stored));
  return read.success ? read.data : {};
}

type Report = { id: string; findings: Findings; user_agent: string };

/** Stores a phone's findings, replacing its earlier ones. */
export async function saveFindings(
  { inTransaction, now, live, log }: Deps,
  { nome }: PhoneOwner,
  { id, findings, user_agent }: Report,
): Promise<void> {
  await inTransaction((tx) =>
    saveDiagnosis(tx, {
      id,
      nome,
      at: now().toISOString(),
      user_agent: user_agent.slice(0, DIAGNOSIS.userAgentSigns),
      findings: JSON.stringify(findings),
    }),
  );
  publishChange({ live, log }, 'diagnosis');
}

export async function deleteTestedPhone(
  { inTransaction, live, log }: AdminCtx,
  { id }: { id: string },
): Promise<Record<string, never> | Refusal<'NOT_FOUND'>> {
  if (!(await inTransaction((tx) => removeDiagnosis(tx, id)))) return refuse('NOT_FOUND');
  publishChange({ live, log }, 'diagnosis');
  return {};
}
