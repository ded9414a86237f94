import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import type { Trusts } from '../../http/address.ts';
import { isKnown } from '../../http/range.ts';
import { refuse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { headOnly, hungUp, sendStream } from '../../http/send.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused } from '../../refused.ts';
import { pageOfSite } from './file.ts';
import { acceptKeeper } from './phones.service.ts';
import { storedPlan } from './plan-b.service.ts';

/** Where a phone finds the page that it keeps; the worker beside it can take no address but those below it. */
const PAGE = '/piano-b/';
const WORKER = `${PAGE}worker.js`;

/** What the web's build calls them (vite.plan-b.config.ts). */
const FILES = { page: 'plan-b.html', worker: 'plan-b.worker' };

/** A worker loads nothing; what it asks for is asked of the site. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** `GET /piano-b/` and its worker: the page without an evening, which shows nothing to whoever brings no pass. Without a built web there are none. */
export function keptPages(webRoot: string): Record<string, Handler> {
  const read = (name: string) => readFileSync(join(webRoot, name), 'utf8');
  if (![FILES.page, FILES.worker].every((name) => existsSync(join(webRoot, name)))) return {};
  const { html, policy } = pageOfSite(read(FILES.page));
  return {
    // The fragment, where the pass is, comes along.
    [PAGE.slice(0, -1)]: async () => new Response(null, { status: 308, headers: { Location: PAGE } }),
    [PAGE]: textHandler(html, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    }),
    [WORKER]: textHandler(read(FILES.worker), {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Security-Policy': WORKER_POLICY,
    }),
  };
}

function textHandler(text: string, own: Record<string, string>): Handler {
  const bytes = new TextEncoder().encode(text);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = { ...own, 'Cache-Control': 'no-cache', ETag: etag };
  return async (c) => {
    if (isKnown(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });
    const whole = { ...headers, 'Content-Length': String(bytes.length) };
    return new Response(c.req.method === 'HEAD' ? null : bytes, { headers: whole });
  };
}

/** `GET /plan-b/evening.bin`: the sealed evening, to a phone that may keep it. Its tag is the id by which it is known. */
export function keptEveningHandler(deps: Deps, trusts: Trusts, transfers: Transfers): Handler {
  return async (c) => {
    const { context } = requestContext(deps, trusts, c);
    const keeper = await acceptKeeper(deps, context.cookies.planB);
    if (isRefused(keeper)) return refuse(keeper.refused);
    const stored = await storedPlan(deps, keeper);
    if (stored === null) return refuse('NOT_FOUND');
    const headers = { ...HEADERS, ETag: `"${stored.id}"`, 'Content-Length': String(stored.size) };
    const head = { status: 200, headers };
    if (c.req.method === 'HEAD') return headOnly(head);
    const content = await stored.read();
    const letGo = transfers.hold(
      () => c.env.outgoing.destroy(),
      async () => !isRefused(await acceptKeeper(deps, context.cookies.planB)),
    );
    return sendStream(c.env.outgoing, head, content, (error) => {
      letGo();
      if (error === null || hungUp(error)) return;
      deps.log.error({ request_id: c.env.scope.request_id, err: error }, 'the sealed evening broke off');
    });
  };
}

const HEADERS = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': FILE_POLICY.other,
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
};
