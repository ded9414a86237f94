import { randomUUID } from 'node:crypto';
import type { Visit } from '../../../contract/visit.ts';
import { isSiteClosed } from '../../../domain/access.ts';
import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { exitPoint } from '../../../domain/itinerary.ts';
import { MINUTE_MS } from '../../../domain/limits.ts';
import { fillName } from '../../../domain/recipient-name.ts';
import {
  type Answers,
  advanceVisit,
  answersVerdict,
  canComplete,
  type Position,
} from '../../../domain/stage-content.ts';
import { reportedErrors } from '../../../texts/experience.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { calls, os, withGuard } from '../../http/calls.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findSiteSettings } from '../config/config.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { createKeepsake, findKeepsake, keepsakeCookieExpiry, keepsakeSecretFor } from './keepsake.ts';
import { disconnectionOf, heartbeat, trackUserExit } from './presence.ts';
import { codeName, countReportedError, updateSession } from './sessions.repo.ts';
import { closeSession, type PageLoadId } from './sessions.ts';
import {
  findVisitHolder,
  type HolderCtx,
  requireHolder,
  requireVisit,
  type VisitCtx,
  visitView,
  withVisit,
} from './visitor.ts';

/** The calls of a visit. The access feature has `enter`. */
export const visitCalls = calls<Omit<typeof os.visit, 'enter'>>(os.visit, {
  site: siteState,
  resume: withGuard(requireVisit, resume),
  position: withGuard(requireVisit, reportPosition),
  heartbeat: withGuard(requireHolder, heartbeat),
  answers: withGuard(requireVisit, giveAnswers),
  complete: withGuard(requireHolder, async (ctx, input, request) => {
    // A retry after a lost reply: the visit is completed already.
    if (ctx.holder.row.completed_at === null) {
      const found = await requireVisit(request);
      const result = isRefused(found) ? found : await complete({ ...ctx, ...found }, input);
      if (isRefused(result)) return result;
      if (!result.completed) return {};
    }
    const secret = await keepsakeSecretFor(ctx, ctx.holder.row.id);
    if (secret !== null) request.setPassCookie('keepsake', secret, keepsakeCookieExpiry(ctx));
    request.clearVisitCookie();
    request.clearSiteData();
    return {};
  }),
  trackUserExit: withGuard(requireHolder, trackUserExit),
  reportError: withGuard(requireHolder, reportError),
});

/** Time in ms during which the access screen shows why the visit ended. */
const REASON_SHOWN_MS = 10 * MINUTE_MS;

/** Returns the state for the access screen. Changes nothing. */
async function siteState(deps: Deps, _input: unknown, request: RequestContext) {
  const holder = await findVisitHolder(request);
  const found = await findSiteSettings(deps.db);
  const now = deps.now();
  const data_laurea = found?.data_laurea ?? null;
  const disconnectedAt = holder?.state === 'disconnected' ? holder.row.disconnected_at : null;
  const wasJustDisconnected =
    disconnectedAt !== null && now.getTime() - Date.parse(disconnectedAt) < REASON_SHOWN_MS;
  return {
    data_laurea,
    closed: isSiteClosed(data_laurea, now),
    resumable: holder?.state === 'open' || holder?.state === 'paused',
    disconnection: holder && wasJustDisconnected ? await disconnectionOf(deps.db, holder) : null,
    keepsake: (await findKeepsake(request)) !== null,
    // Anyone may read it, so it never contains the recipient's name.
    footer_text: found?.footer_text == null ? null : fillName(found.footer_text, null),
    privacy_notice: found?.privacy_notice ?? null,
  };
}

/** Id of the page load that sends a report. */
type Sender = { life?: PageLoadId };

/** Opens or reloads the page: the same session, and no use is counted. */
export function resume(ctx: VisitCtx, { life }: Sender) {
  return withVisit(ctx, life, async ({ visitor }) => visitView(visitor));
}

/** Stores that a stage, phrase or second begins. Refuses to jump ahead (decision 001). Returns the visit with its next content. */
export function reportPosition(ctx: VisitCtx, { life, ...reported }: Position & Sender) {
  return withVisit(ctx, life, async ({ tx, visitor, pageLeft }): Promise<Visit | Refusal<'STEP_REFUSED'>> => {
    if (pageLeft) return visitView(visitor);
    const moved = advanceVisit(visitor, reported);
    if (moved.kind === 'refused') return refuse('STEP_REFUSED');
    if (moved.kind === 'kept') return visitView(visitor);
    const { position } = moved;
    const begins = position.step > visitor.position.step ? visitor.steps[position.step] : undefined;
    await updateSession(tx, visitor.id, { ...position, ...(begins && { exit_point: exitPoint(begins) }) });
    return visitView({ ...visitor, position });
  });
}

type TripAnswers = Answers & { viaggio: Viaggio };
type AnswersRefusal = Refusal<'ANSWERS_REFUSED' | 'ANSWERS_CONFLICT'>;

/**
 * Stores both answers of a trip once its questions are reached. The first ones stay; repeating them is no error (a lost reply).
 * Other answers are refused. The notification is queued in the same transaction.
 * Answers that arrive after their page was closed are stored too, but don't reopen the visit.
 */
export function giveAnswers(ctx: VisitCtx, { life, viaggio, ...answers }: TripAnswers & Sender) {
  return withVisit(
    ctx,
    life,
    async ({ tx, visitor, now }): Promise<Visit | AnswersRefusal> => {
      const verdict = answersVerdict(visitor, { viaggio, ...answers });
      if (verdict === 'repeated') return visitView(visitor);
      if (verdict !== 'new') return refuse(verdict);
      const { id: session_id, token_id, token_value } = visitor;
      // The session's row has been locked since its answers were read.
      if (!(await insertAnswers(tx, { session_id, token_value, viaggio, ...answers }, now)))
        throw new Error('Answers appeared while their session was held');
      await updateSession(tx, session_id, { exit_point: 'after_checkboxes' });
      const { domande } = tripOf(visitor.snapshot, viaggio);
      const notice = {
        type: 'checkbox_response' as const,
        token_value,
        viaggio,
        ...answers,
        nome: await codeName(tx, token_id),
        domande: domande === null ? undefined : ([domande.domanda_1, domande.domanda_2] as [string, string]),
      };
      await enqueueNotification(tx, notice, now);
      return visitView({ ...visitor, answers: new Map([...visitor.answers, [viaggio, answers]]) });
    },
    ['answers'],
  );
}

/** Stores a trip's answers. Returns false if there were some: the first ones stay. */
export async function insertAnswers(
  tx: Db,
  row: TripAnswers & { session_id: string; token_value: string },
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('checkbox_responses')
    .values({ id: randomUUID(), ...row, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(['session_id', 'viaggio']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Completes the visit for good, from the last stage with every question answered. A page load that has ended can't complete it:
 * another one may be showing the end. Creates a keepsake if the administrator offers one.
 */
export function complete(ctx: VisitCtx, { life }: Sender) {
  return withVisit(
    ctx,
    life,
    async ({ tx, visitor, now, pageLeft }) => {
      if (pageLeft) return { completed: false };
      if (!canComplete(visitor)) return refuse('STEP_REFUSED');
      await updateSession(tx, visitor.id, { completed_at: now.toISOString() });
      await closeSession(tx, visitor.id, now, { completed: true });
      await createKeepsake({ tx, key: ctx.secret, now }, visitor.id);
      return { completed: true };
    },
    ['logs'],
  );
}

/** Reported errors per session; further ones are dropped. */
const MAX_REPORTED = 5;

/** Notifies the administrator of an error that the visitor saw (spec 7), unless the visit is over. */
export async function reportError(
  { holder: { row, state }, inTransaction, now }: HolderCtx,
  { kind }: { kind: keyof typeof reportedErrors },
): Promise<Record<string, never>> {
  if (state === 'ended' || state === 'disconnected') return {};
  await inTransaction(async (tx) => {
    if (!(await countReportedError(tx, row.id, MAX_REPORTED))) return;
    const notice = { type: 'access', success: false, error_message: reportedErrors[kind] } as const;
    await enqueueNotification(tx, notice, now());
  });
  return {};
}
