import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PLAN_B_FAILURES, type PlanBState } from '../../../contract/admin/rehearsal.ts';
import { HEADER_BYTES, SEALED_SEGMENT_BYTES } from '../../../sealed/layout.ts';
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
import { currentContent, hasOpenVisit, isMade, listPlans, requestPlan } from './plan-b.maker.ts';

export const planBCalls = calls(adminCalls.planB, { read: readPlanB, make: requestPlanB });

/** Returns the newest sealed evening, whether it is current, and what prevents another build. */
export async function readPlanB(ctx: AdminCtx): Promise<PlanBState> {
  const [evening, plans, hasVisit] = await Promise.all([
    currentContent(ctx),
    listPlans(ctx.db),
    hasOpenVisit(ctx.db),
  ]);
  const made = plans.find(isMade);
  const request = plans[0]?.made_at === null ? plans[0] : undefined;
  const making = request?.failed === null;
  return {
    hindrance: typeof evening === 'string' ? evening : null,
    plan: made
      ? {
          made_at: made.made_at,
          size: made.size,
          file_size: aboutFileLength(made.size),
          current: typeof evening !== 'string' && evening.of === made.made_of,
        }
      : null,
    making,
    waits: making && hasVisit,
    failed: PLAN_B_FAILURES.find((why) => why === request?.failed) ?? null,
  };
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

/** Name of the page in the web build (vite.config.ts). */
const PAGE = 'plan-b.html';

export function planBFileEndpoint(transfers: Transfers, webRoot: string): Endpoint {
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const made = (await listPlans(ctx.db)).find(isMade);
    const stored = await findFile(ctx, made?.file ?? '');
    if (stored === null) return errorResponse('NOT_FOUND');
    const page = pageOfFile(await readFile(join(webRoot, PAGE), 'utf8'));
    return sendDownload(c, {
      headers: {
        ...fileHeaders({ type: 'text/html; charset=utf-8', name: 'piano-b.html' }),
        'Content-Length': String(fileLength(page, stored.size)),
      },
      open: async () => {
        const evening = await ctx.storage.open(mediaKey(stored));
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

/** Placeholders of the built page (src/web/plan-b) for its policy and its evening. */
const SLOTS = { policy: '<!--policy-->', sealed: '<!--sealed-->' };
const SCRIPT = /<script>([\s\S]*?)<\/script>/;
const STYLES = /<style>([\s\S]*?)<\/style>/;

/** HTML before and after the sealed evening, in a page that is opened from a folder. */
export type PlanBPage = { before: string; after: string };

/**
 * Returns the built page, split for the file. Its policy allows only its own script and no network: opened content stays in memory.
 * Throws if `page` isn't the built page.
 */
export function pageOfFile(page: string): PlanBPage {
  const [, script] = SCRIPT.exec(page) ?? [];
  const [, styles] = STYLES.exec(page) ?? [];
  const [before, after, ...more] = page.split(SLOTS.sealed);
  const isComplete = before !== undefined && after !== undefined && more.length === 0;
  if (!isComplete || script === undefined || styles === undefined || !before.includes(SLOTS.policy))
    throw new Error('The page of the sealed evening is not as it is built');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policyOf(script, styles)}" />`;
  return { before: before.replace(SLOTS.policy, () => meta), after };
}

function policyOf(script: string, styles: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    // Argon2id is WebAssembly.
    `script-src ${hash(script)} 'wasm-unsafe-eval'`,
    `style-src ${hash(styles)}`,
    'img-src blob: data:',
    'media-src blob:',
    'font-src data:',
    'connect-src blob:',
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

const segmentsIn = (size: number) => (size - HEADER_BYTES) / SEALED_SEGMENT_BYTES;
const opening = (count: number) => `<script type="text/plain" data-sealed="${count}">`;
const ENDING = '</script>\n';
const base64Length = (bytes: number) => 4 * Math.ceil(bytes / 3);

/** Approximate size of the page without its evening, in bytes. */
const PAGE_BYTES = 590_000;
/**
 * Returns the approximate length of the file in bytes, without reading the page.
 * @param size of the sealed evening, in bytes
 */
export const aboutFileLength = (size: number): number => PAGE_BYTES + base64Length(size);

/**
 * Returns the exact length of the file in bytes.
 * @param size of the sealed evening, in bytes
 */
export function fileLength({ before, after }: PlanBPage, size: number): number {
  const count = segmentsIn(size);
  const tags = (count + 1) * (opening(count).length + ENDING.length);
  const data = base64Length(HEADER_BYTES) + count * base64Length(SEALED_SEGMENT_BYTES);
  return Buffer.byteLength(before) + tags + data + Buffer.byteLength(after);
}

/** Yields the file, one segment at a time. */
export async function* fileParts(
  { before, after }: PlanBPage,
  evening: OpenFile,
  size: number,
): AsyncGenerator<string, void, undefined> {
  const count = segmentsIn(size);
  yield before;
  for (let index = -1; index < count; index += 1) {
    const [from, length] =
      index < 0 ? [0, HEADER_BYTES] : [HEADER_BYTES + index * SEALED_SEGMENT_BYTES, SEALED_SEGMENT_BYTES];
    yield `${opening(count)}${(await read(evening, from, length)).toString('base64')}${ENDING}`;
  }
  yield after;
}

async function read(file: OpenFile, from: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const got = await file.read(into.subarray(at), from + at);
    if (got === 0) throw new Error('A sealed evening ends too early');
    at += got;
  }
  return into;
}
