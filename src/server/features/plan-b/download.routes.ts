import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Endpoint } from '../../http/api.ts';
import { contentDisposition } from '../../http/disposition.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { headOnly, isClientDisconnect, sendStream } from '../../http/send.ts';
import type { Transfers } from '../../live/transfers.ts';
import { fileLength, fileParts, pageOfFile } from './file.ts';
import { storedPlan } from './plan-b.ts';

/** Name of the page in the web build (vite.config.ts). */
const PAGE = 'plan-b.html';

export function planBFileEndpoint(transfers: Transfers, webRoot: string): Endpoint {
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const stored = await storedPlan(ctx);
    if (stored === null) return errorResponse('NOT_FOUND');
    const page = pageOfFile(await readFile(join(webRoot, PAGE), 'utf8'));
    const head = {
      status: 200,
      headers: { ...HEADERS, 'Content-Length': String(fileLength(page, stored.size)) },
    };
    if (c.req.method === 'HEAD') return headOnly(head);
    const evening = await stored.open();
    const release = transfers.hold(
      () => c.env.outgoing.destroy(),
      () => isStillAdmin(request),
    );
    return sendStream(c.env.outgoing, head, Readable.from(fileParts(page, evening, stored.size)), (error) => {
      release();
      evening.close();
      if (error === null || isClientDisconnect(error)) return;
      ctx.log.error({ request_id: request.request_id, err: error }, 'the sealed evening broke off');
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

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Disposition': contentDisposition('attachment', 'piano-b.html'),
  'Content-Security-Policy': FILE_POLICY.other,
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
};
