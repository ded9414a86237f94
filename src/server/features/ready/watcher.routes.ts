import type { Deps } from '../../deps.ts';
import type { Trusts } from '../../http/address.ts';
import { refusal, refusalResponse, refuse } from '../../http/refusals.ts';
import { addressOf } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import { isRefused } from '../../refused.ts';
import { answerNow } from './ready.service.ts';
import { acceptKey } from './watcher.service.ts';

const BEARER = /^Bearer ([\w-]{1,200})$/i;

/**
 * `GET /api/admin/ready`: whoever watches from outside, by the key that was made for it. 200: ready, or over; 503: not ready; no word of the evening.
 */
export function watcherHandler(deps: Deps, trusts: Trusts): Handler {
  return async (c) => {
    const [, key] = BEARER.exec(c.req.header('authorization') ?? '') ?? [];
    if (key === undefined) return refuse('SIGN_IN_REQUIRED');
    const known = await acceptKey(deps, { key, address: addressOf(c, trusts) });
    if (isRefused(known)) {
      const { refused, ...details } = known;
      return refusalResponse(refusal(refused, details));
    }
    const { verdict, reasons } = await answerNow(deps, c.req.header('host') ?? null);
    return Response.json(
      { verdict, reasons: reasons.map(({ id, level }) => ({ id, level })) },
      { status: verdict === 'not_ready' ? 503 : 200, headers: { 'Cache-Control': 'no-store' } },
    );
  };
}
