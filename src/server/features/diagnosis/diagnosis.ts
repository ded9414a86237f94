import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { findingsSchema } from '../../../contract/diagnosis.ts';
import { DIAGNOSIS, evaluateFindings, type Findings } from '../../../domain/diagnosis.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import type { Refusal } from '../../refused.ts';
import {
  type DiagnosisRow,
  listDiagnoses,
  removeDiagnosis,
  saveDiagnosis,
  validPasses,
} from './diagnosis.repo.ts';
import type { PhoneOwner } from './pass.service.ts';

type Output = InferContractRouterOutputs<typeof contract>['admin']['diagnosis']['list'];

/** Returns the tested phones, evaluated by the present rules, and the valid passes. */
export async function listPhones({ db, now }: Pick<Deps, 'db' | 'now'>, _actor: AdminActor): Promise<Output> {
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
  { inTransaction, now, live, log }: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
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
  { inTransaction, live, log }: Pick<Deps, 'inTransaction' | 'live' | 'log'>,
  _actor: AdminActor,
  { id }: { id: string },
): Promise<object | Refusal<'NOT_FOUND'>> {
  if (!(await inTransaction((tx) => removeDiagnosis(tx, id)))) return { refused: 'NOT_FOUND' };
  publishChange({ live, log }, 'diagnosis');
  return {};
}
