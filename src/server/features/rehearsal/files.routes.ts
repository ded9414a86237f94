import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, refuse } from '../../refused.ts';
import { findFile } from '../media/media.ts';
import type { ExtraAccess } from '../media/serve.ts';
import { answerPdf, tripIn } from '../tickets/tickets.routes.ts';
import { isRehearsedMedia, isStillSpectator, rehearsedTickets, requireSpectator } from './rehearsal.ts';

/** Grants a spectator of the rehearsal the files that a visit would show now. */
export const rehearsalMediaAccess: ExtraAccess = async (context, id) => {
  const granted = await requireSpectator(context);
  if (isRefused(granted)) return null;
  const { spectator } = granted;
  if (!(await isRehearsedMedia(context.deps, spectator, id))) return refuse('NOT_FOUND');
  return { isStillAllowed: () => isStillSpectator(context, spectator) };
};

/** Serves the tickets of the current configuration. Its own address keeps a visitor's cookie in the same browser out of it. */
export function rehearsalTicketsEndpoint(transfers: Transfers): Endpoint {
  const answer = guarded(
    (request) => requireSpectator(request),
    async (c, ctx, request) => {
      const id = await rehearsedTickets(ctx, ctx.spectator, tripIn(c));
      const media = id === null ? null : await findFile(ctx, id);
      if (media === null || media.deleted_at !== null) return errorResponse('NOT_FOUND');
      const hold = (abort: () => void) =>
        transfers.hold(abort, () => isStillSpectator(request, ctx.spectator));
      return answerPdf(ctx, c, { media, hold });
    },
  );
  return {
    method: 'GET',
    path: '/rehearsal/tickets/{viaggio}/biglietti.pdf',
    summary: "A trip's tickets as a PDF, in the rehearsal",
    responseType: 'application/pdf',
    refusals: ['SIGN_IN_REQUIRED', 'REHEARSAL_OVER', 'NOT_FOUND'],
    answer,
  };
}
