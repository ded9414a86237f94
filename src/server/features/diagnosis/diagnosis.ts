import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { findingsSchema } from '../../../contract/diagnosis.ts';
import { DIAGNOSIS, evaluateFindings, type Findings } from '../../../domain/diagnosis.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { randomPassNumber, signPass, verifyPass } from '../../auth/secrets.ts';
import type { Db, DiagnosesTable, DiagnosisPassesTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { keepNewest } from '../../event-log/events.repo.ts';
import { siteAddress } from '../../http/address.ts';
import { calls, os } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';

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
type PhoneOwner = { readonly nome: string; readonly ends: Date; readonly [brand]: true };

/** Returns the phone name and expiry of a pass. Refuses a foreign, expired or revoked pass. */
export async function verifyDiagnosisPass(
  { db, secret, now }: Deps,
  pass: string | null,
): Promise<PhoneOwner | Refusal<'DIAGNOSIS_OVER'>> {
  const claim = pass === null ? null : verifyPass(secret, 'diagnosis', pass, now());
  // A foreign pass is refused without a query.
  const stored = claim === null ? undefined : await findPass(db, claim.generation);
  if (claim === null || stored?.scadenza !== claim.ends.toISOString()) return refuse('DIAGNOSIS_OVER');
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
): Promise<DiagnosisPassesTable & { pass: string; public_url: string | null }> {
  const name = nome.trim();
  const stored = await ctx.inTransaction(async (tx) => {
    const valid = anew ? [] : await validPasses(tx, ctx.now());
    const known = valid.find((pass) => pass.nome === name);
    if (known !== undefined) return known;
    const scadenza = new Date(ctx.now().getTime() + DIAGNOSIS.passMs).toISOString();
    const created = { id: randomPassNumber(), nome: name, scadenza };
    await savePass(tx, created);
    return created;
  });
  publishChange(ctx, 'diagnosis');
  const claim = { ends: new Date(stored.scadenza), generation: stored.id };
  return { ...stored, pass: signPass(ctx.secret, 'diagnosis', claim), public_url: siteAddress(ctx) };
}

/** Revokes a pass; requests with it are refused from now on. */
export function revokeDiagnosisPass(ctx: AdminCtx, { id }: { id: number }) {
  return removeOrRefuse(ctx, (tx) => deletePass(tx, id));
}

export function deleteTestedPhone(ctx: AdminCtx, { id }: { id: string }) {
  return removeOrRefuse(ctx, (tx) => removeDiagnosis(tx, id));
}

async function removeOrRefuse(
  ctx: AdminCtx,
  remove: (tx: Db) => Promise<boolean>,
): Promise<Record<string, never> | Refusal<'NOT_FOUND'>> {
  if (!(await ctx.inTransaction(remove))) return refuse('NOT_FOUND');
  publishChange(ctx, 'diagnosis');
  return {};
}

type Output = InferContractRouterOutputs<typeof contract>['admin']['diagnosis']['list'];

/** Returns the tested phones, evaluated by the present rules, and the valid passes. */
async function listPhones({ db, now }: AdminCtx): Promise<Output> {
  const [passes, rows] = await Promise.all([validPasses(db, now()), listDiagnoses(db)]);
  const phones = rows.map((row) => {
    const findings = parseFindings(row.findings);
    return { ...row, findings, ...evaluateFindings(findings) };
  });
  return { passes, phones };
}

/** Findings of an older version may not match the schema; then the phone counts as untested. */
export function parseFindings(stored: string): Findings {
  return findingsSchema.safeParse(JSON.parse(stored)).data ?? {};
}

/** Stores a phone's findings, replacing its earlier ones. */
export async function saveFindings(
  deps: Deps,
  { nome }: PhoneOwner,
  report: { id: string; findings: Findings; user_agent: string },
): Promise<void> {
  const row = {
    id: report.id,
    nome,
    at: deps.now().toISOString(),
    user_agent: report.user_agent.slice(0, DIAGNOSIS.userAgentSigns),
    findings: JSON.stringify(report.findings),
  };
  await deps.inTransaction((tx) => saveDiagnosis(tx, row));
  publishChange(deps, 'diagnosis');
}

/** Returns the pass with this number, or undefined if it was revoked or never existed. */
export async function findPass(db: Db, id: number): Promise<DiagnosisPassesTable | undefined> {
  return db.selectFrom('diagnosis_passes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the passes that are valid at this moment, the last to expire first. */
export async function validPasses(db: Db, now: Date): Promise<DiagnosisPassesTable[]> {
  return db
    .selectFrom('diagnosis_passes')
    .selectAll()
    .where('scadenza', '>', now.toISOString())
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .execute();
}

/** Stores a pass, replacing those of the same name. Deletes the oldest beyond the limit. */
export async function savePass(tx: Db, pass: DiagnosisPassesTable): Promise<void> {
  await tx.deleteFrom('diagnosis_passes').where('nome', '=', pass.nome).execute();
  await tx.insertInto('diagnosis_passes').values(pass).execute();
  await keepNewest(tx, 'diagnosis_passes', { id: pass.id, by: 'scadenza', maxRows: DIAGNOSIS.passes });
}

/** Deletes a pass. Returns true if it existed. */
export async function deletePass(tx: Db, id: number): Promise<boolean> {
  const deleted = await tx.deleteFrom('diagnosis_passes').where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Returns all tested phones, latest first. */
export async function listDiagnoses(db: Db): Promise<DiagnosesTable[]> {
  return db.selectFrom('diagnoses').selectAll().orderBy('at', 'desc').orderBy('id').execute();
}

/** Stores the findings of a phone, replacing its earlier ones. Deletes the oldest phones beyond the limit. */
export async function saveDiagnosis(tx: Db, row: DiagnosesTable): Promise<void> {
  const { id, ...found } = row;
  await tx
    .insertInto('diagnoses')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
  await keepNewest(tx, 'diagnoses', { id, by: 'at', maxRows: DIAGNOSIS.phones });
}

/** Deletes a phone. Returns true if it existed. */
export async function removeDiagnosis(tx: Db, id: string): Promise<boolean> {
  const deleted = await tx.deleteFrom('diagnoses').where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}
