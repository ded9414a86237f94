import { throwIfRefused } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { giveAnswers } from './answers.service.ts';
import { findVisitHolder, requireHolder, requireVisit } from './guards.ts';
import { keepsakeCookieExpiry, keepsakeSecretFor } from './keepsake.ts';
import { heartbeat, trackUserExit } from './presence.service.ts';
import { reportError } from './report-error.service.ts';
import { siteState } from './site.service.ts';
import { complete, reportPosition, resume } from './visit.service.ts';

export const visitRoutes = {
  site: os.visit.site.handler(async ({ context }) => {
    return siteState(context.deps, await findVisitHolder(context), context.cookies.keepsake);
  }),

  resume: os.visit.resume.handler(async ({ context, input, errors }) => {
    const { visitor } = throwIfRefused(await requireVisit(context), errors);
    return throwIfRefused(await resume(context.deps, visitor, input.life), errors);
  }),

  position: os.visit.position.handler(async ({ context, input, errors }) => {
    const { visitor } = throwIfRefused(await requireVisit(context), errors);
    const { life: pageLoadId, ...reported } = input;
    return throwIfRefused(await reportPosition(context.deps, visitor, reported, pageLoadId), errors);
  }),

  heartbeat: os.visit.heartbeat.handler(async ({ context, input, errors }) => {
    const { holder } = throwIfRefused(await requireHolder(context), errors);
    return heartbeat(context.deps, holder, input.life);
  }),

  answers: os.visit.answers.handler(async ({ context, input, errors }) => {
    const { visitor } = throwIfRefused(await requireVisit(context), errors);
    const { life: pageLoadId, ...answersInput } = input;
    return throwIfRefused(await giveAnswers(context.deps, visitor, answersInput, pageLoadId), errors);
  }),

  complete: os.visit.complete.handler(async ({ context, input, errors }) => {
    const { holder } = throwIfRefused(await requireHolder(context), errors);
    // A retry after a lost reply: the visit is completed already.
    if (holder.row.completed_at === null) {
      const { visitor } = throwIfRefused(await requireVisit(context), errors);
      const { completed } = throwIfRefused(await complete(context.deps, visitor, input.life), errors);
      if (!completed) return {};
    }
    const secret = await keepsakeSecretFor(context.deps, holder);
    if (secret !== null) context.setPassCookie('keepsake', secret, keepsakeCookieExpiry(context.deps));
    context.clearVisitCookie();
    context.clearSiteData();
    return {};
  }),

  trackUserExit: os.visit.trackUserExit.handler(async ({ context, input, errors }) => {
    const { holder } = throwIfRefused(await requireHolder(context), errors);
    await trackUserExit(context.deps, holder, input);
  }),

  reportError: os.visit.reportError.handler(async ({ context, input, errors }) => {
    const { holder } = throwIfRefused(await requireHolder(context), errors);
    await reportError(context.deps, holder, input.kind);
    return {};
  }),
};
