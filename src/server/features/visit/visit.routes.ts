import { bind, os, withGuard } from '../../http/calls.ts';
import { isRefused } from '../../refused.ts';
import { giveAnswers } from './answers.service.ts';
import { findVisitHolder, requireHolder, requireVisit } from './guards.ts';
import { keepsakeCookieExpiry, keepsakeSecretFor } from './keepsake.ts';
import { heartbeat, trackUserExit } from './presence.service.ts';
import { reportError } from './report-error.service.ts';
import { siteState } from './site.service.ts';
import { complete, reportPosition, resume } from './visit.service.ts';

/** The calls of a visit. The access feature has `enter`. */
export const visitCalls = {
  site: bind(os.visit.site, async (deps, _input, request) =>
    siteState(deps, await findVisitHolder(request), request.cookies.keepsake),
  ),
  resume: bind(
    os.visit.resume,
    withGuard(requireVisit, (ctx, { life }) => resume(ctx, ctx.visitor, life)),
  ),
  position: bind(
    os.visit.position,
    withGuard(requireVisit, (ctx, { life, ...reported }) => reportPosition(ctx, ctx.visitor, reported, life)),
  ),
  heartbeat: bind(
    os.visit.heartbeat,
    withGuard(requireHolder, (ctx, { life }) => heartbeat(ctx, ctx.holder, life)),
  ),
  answers: bind(
    os.visit.answers,
    withGuard(requireVisit, (ctx, { life, ...answers }) => giveAnswers(ctx, ctx.visitor, answers, life)),
  ),
  complete: bind(
    os.visit.complete,
    withGuard(requireHolder, async (ctx, { life }, request) => {
      // A retry after a lost reply: the visit is completed already.
      if (ctx.holder.row.completed_at === null) {
        const found = await requireVisit(request);
        if (isRefused(found)) return found;
        const result = await complete(ctx, found.visitor, life);
        if (isRefused(result)) return result;
        if (!result.completed) return {};
      }
      const secret = await keepsakeSecretFor(ctx, ctx.holder);
      if (secret !== null) request.setPassCookie('keepsake', secret, keepsakeCookieExpiry(ctx));
      request.clearVisitCookie();
      request.clearSiteData();
      return {};
    }),
  ),
  trackUserExit: bind(
    os.visit.trackUserExit,
    withGuard(requireHolder, async (ctx, report) => {
      await trackUserExit(ctx, ctx.holder, report);
      return undefined;
    }),
  ),
  reportError: bind(
    os.visit.reportError,
    withGuard(requireHolder, async (ctx, { kind }) => {
      await reportError(ctx, ctx.holder, kind);
      return {};
    }),
  ),
};
