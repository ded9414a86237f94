import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { NotNull } from 'kysely';
import type { contract } from '../../../contract/contract.ts';
import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { readVersionedQuestions, saveVersioned } from '../config/config.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';

export const questionsCalls = calls(adminCalls.questions, { read: readQuestions, save: saveQuestions });
export const answersCalls = calls(adminCalls.answers, { list: listAnswers, replies: listReplies });

type Inputs = InferContractRouterInputs<typeof contract>['admin'];
type Outputs = InferContractRouterOutputs<typeof contract>['admin'];

/** Returns the questions of both trips with their version; version 0 means never saved. */
export function readQuestions({ db }: AdminCtx): Promise<Outputs['questions']['read']> {
  return readVersionedQuestions(db);
}

/**
 * Changes the questions in `fields` if nothing was saved since `versione` was read; the others stay.
 * Returns all four, and the bin ids of the emptied ones.
 */
export async function saveQuestions(
  ctx: AdminCtx,
  { versione, fields }: Inputs['questions']['save'],
): Promise<Outputs['questions']['save'] | Refusal<'STALE_VERSION'>> {
  const saved = await saveVersioned(ctx, 'checkbox_questions', versione, () => fields);
  if (saved === null) return refuse('STALE_VERSION');
  if (isRefused(saved)) return saved;
  const { id: _, ...questions } = saved.row;
  return { ...questions, bin: saved.bin };
}

type Answers = Outputs['answers'];

/** Returns the answers of both trips, newest first (spec 7 «Questions»), each with the questions of its visit. */
export async function listAnswers({ db }: AdminCtx): Promise<Answers['list']> {
  const rows = await findAnswers(db);
  return Promise.all(
    rows.map(async ({ snapshot_hash, ...answer }) => ({
      ...answer,
      ...(await visitQuestions(db, snapshot_hash, answer.viaggio)),
    })),
  );
}

/** Returns all answers of both trips, newest first, with the snapshot hash of their visit. */
export function findAnswers(db: Db) {
  return db
    .selectFrom('checkbox_responses as r')
    .leftJoin('active_sessions as s', 's.id', 'r.session_id')
    .select([
      'r.id',
      'r.session_id',
      'r.viaggio',
      'r.token_value',
      'r.risposta_1',
      'r.risposta_2',
      'r.created_at',
    ])
    .select('s.snapshot_hash')
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .execute();
}

/** Returns null questions if the visit can't be read, so that its answers stay visible. */
async function visitQuestions(db: Db, snapshot_hash: string | null, viaggio: Viaggio) {
  const plan = snapshot_hash === null ? null : await loadVisitPlan(db, { snapshot_hash }).catch(() => null);
  return (plan && tripOf(plan.snapshot, viaggio).domande) ?? { domanda_1: null, domanda_2: null };
}

/** Returns the replies from keepsakes, newest first, with the code's name if the code still exists. */
export function listReplies({ db }: AdminCtx): Promise<Answers['replies']> {
  return (
    db
      .selectFrom('keepsakes as k')
      .innerJoin('active_sessions as s', 's.id', 'k.session_id')
      .leftJoin('tokens as t', 't.id', 's.token_id')
      .select(['k.session_id', 's.token_value', 'k.reply as testo', 'k.replied_at as at'])
      .select(({ fn, val }) => fn.coalesce('t.nome', val('')).as('nome'))
      .where('k.reply', 'is not', null)
      // Both are written together.
      .$narrowType<{ testo: NotNull; at: NotNull }>()
      .orderBy('k.replied_at', 'desc')
      .orderBy('k.session_id')
      .execute()
  );
}
