import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PLAN_B_FAILURES, type PlanBState } from '../../../contract/admin/rehearsal.ts';
import { type AdminCtx, adminCalls, isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Endpoint } from '../../http/api.ts';
import { calls } from '../../http/calls.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import { fileHeaders, sendDownload } from '../../http/send.ts';
import { publishChange } from '../../live/bus.ts';
import type { Transfers } from '../../live/transfers.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { findFile, mediaKey } from '../media/media.ts';
import { currentContent, type PlanBContent } from './evening.ts';
import { aboutFileLength, fileLength, fileParts, pageOfFile } from './file.ts';
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

/** Name of the page in the web build (vite.config.ts). */
const PAGE = 'plan-b.html';

export function planBFileEndpoint(transfers: Transfers, webRoot: string): Endpoint {
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const stored = await storedPlan(ctx);
    if (stored === null) return errorResponse('NOT_FOUND');
    const page = pageOfFile(await readFile(join(webRoot, PAGE), 'utf8'));
    return sendDownload(c, {
      headers: {
        ...fileHeaders({ type: 'text/html; charset=utf-8', name: 'piano-b.html' }),
        'Content-Length': String(fileLength(page, stored.size)),
      },
      open: async () => {
        const evening = await stored.open();
        return Readable.from(fileParts(page, evening, stored.size)).once('close', evening.close);
      },
      hold: (cut) => transfers.hold(cut, () => isStillAdmin(request)),
      failure: 'the sealed evening broke off',
    });
  });
  return {
    method: 'GET',
    path: '/admin/plan-b/piano-b.html',
    summary: 'The encrypted evening as one HTML page, opened from disk with a code',
    responseType: 'text/html',
    refusals: ['SIGN_IN_REQUIRED', 'NOT_FOUND'],
    answer,
  };
}
