import type { InferContractRouterOutputs } from '@orpc/contract';
import type { AnswerRecord } from '../../../contract/admin/config.ts';
import type { contract } from '../../../contract/contract.ts';
import type { Questions } from '../../../domain/configuration.ts';
import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { moveTextsToBin } from '../config/lost-to-bin.ts';
import * as repo from '../config/questions.repo.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';
import * as answers from './questions.repo.ts';

export const questionsCalls = calls(adminCalls.questions, { read: readQuestions, save: saveQuestions });
export const answersCalls = calls(adminCalls.answers, { list: listAnswers, replies: listReplies });

/** Returns the questions of both trips with their version; version 0 means never saved. */
export async function readQuestions({ db }: AdminCtx): Promise<repo.VersionedQuestions> {
  return repo.readVersioned(db);
}

/**
 * Changes the questions in `fields` if nothing was saved since `versione` was read; the others stay.
 * Returns all four, and the bin ids of the emptied ones.
 */
export async function saveQuestions(
  ctx: AdminCtx,
  { versione, fields }: { versione: number; fields: { [K in keyof Questions]?: Questions[K] | undefined } },
): Promise<(repo.VersionedQuestions & { bin: string[] }) | Refusal<'STALE_VERSION'>> {
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const saved = await ctx.inTransaction(async (tx) => {
    if (versione === 0) await repo.ensureQuestions(tx);
    const before = await repo.readQuestions(tx);
    const after = await repo.updateQuestions(tx, changes, versione);
    return (
      after && { ...after, bin: await moveTextsToBin(tx, 'question', { before, after: changes }, ctx.now()) }
    );
  });
  if (saved === undefined) return refuse('STALE_VERSION');
  publishChange(ctx, 'config');
  return saved;
}

type Replies = InferContractRouterOutputs<typeof contract>['admin']['answers']['replies'];

/** Returns the answers of both trips, newest first (spec 7 «Questions»), each with the questions of its visit. */
export async function listAnswers({ db }: AdminCtx): Promise<AnswerRecord[]> {
  const rows = await answers.listAnswers(db);
  return Promise.all(
    rows.map(async ({ snapshot_hash, ...answer }) => ({
      ...answer,
      ...(await visitQuestions(db, snapshot_hash, answer.viaggio)),
    })),
  );
}

/** Returns the replies from keepsakes, newest first. */
export async function listReplies({ db }: AdminCtx): Promise<Replies> {
  const rows = await answers.listReplies(db);
  return rows.map(({ session_id, token_value, nome, reply, replied_at }) => ({
    session_id,
    token_value,
    nome: nome ?? '',
    testo: reply ?? '',
    at: replied_at ?? '',
  }));
}

/** Returns null questions if the visit can't be read, so that its answers stay visible. */
async function visitQuestions(
  db: Db,
  snapshot_hash: string | null,
  viaggio: Viaggio,
): Promise<Pick<AnswerRecord, 'domanda_1' | 'domanda_2'>> {
  const unknown = { domanda_1: null, domanda_2: null };
  if (snapshot_hash === null) return unknown;
  try {
    const { snapshot } = await loadVisitPlan(db, { snapshot_hash });
    return tripOf(snapshot, viaggio).domande ?? unknown;
  } catch {
    return unknown;
  }
}
