import { randomUUID } from 'node:crypto';
import type { PlanBState } from '../../../contract/admin/plan-b.ts';
import { PLAN_B_FAILURES } from '../../../domain/plan-b.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/announce.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { findFile, mediaKey } from '../media/media.service.ts';
import { currentContent, type PlanBContent } from './evening.ts';
import { aboutFileLength } from './file.ts';
import { hasOpenVisit, latestMade, latestPlan, type PlanRow, requestPlan } from './plan-b.repo.ts';

export const planBCalls = calls(adminCalls.planB, { read: readPlanB, make: requestPlanB });

/** Returns the newest sealed evening, whether it is current, and what prevents another build. */
export async function readPlanB(ctx: AdminCtx): Promise<PlanBState> {
  const [evening, made, request, hasVisit] = await Promise.all([
    currentContent(ctx),
    latestMade(ctx.db),
    latestPlan(ctx.db),
    hasOpenVisit(ctx.db),
  ]);
  const plan = made === undefined ? null : planOf(made, evening);
  const isUnmade = request !== undefined && request.made_at === null;
  const making = isUnmade && request.failed === null;
  return {
    hindrance: typeof evening === 'string' ? evening : null,
    plan,
    making,
    waits: making && hasVisit,
    failed: isUnmade ? (PLAN_B_FAILURES.find((why) => why === request.failed) ?? null) : null,
  };
}

function planOf({ made_at, made_of, size }: PlanRow, evening: PlanBContent | string): PlanBState['plan'] {
  if (made_at === null || size === null) return null;
  const file_size = aboutFileLength(size);
  return { made_at, size, file_size, current: typeof evening !== 'string' && evening.of === made_of };
}

/** Requests a build in the background. Does nothing if a hindrance exists or a build is pending. */
export async function requestPlanB(ctx: AdminCtx): Promise<PlanBState> {
  const before = await readPlanB(ctx);
  if (before.hindrance === null && !before.making) {
    await ctx.inTransaction((tx) => requestPlan(tx, randomUUID(), ctx.now()));
    publishChange(ctx, 'plan_b');
  }
  return readPlanB(ctx);
}

type StoredPlan = { size: number; open: () => Promise<OpenFile> };

/** Returns the bytes of the newest sealed evening, or null if there is none. */
export async function storedPlan(ctx: AdminCtx): Promise<StoredPlan | null> {
  const made = await latestMade(ctx.db);
  const file = made?.file ? await findFile(ctx, made.file) : null;
  return file && { size: file.size, open: () => ctx.storage.open(mediaKey(file)) };
}
