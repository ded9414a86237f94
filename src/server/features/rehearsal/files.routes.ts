import type { Deps } from '../../deps.ts';
import type { IsTrustedProxy } from '../../http/address.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused } from '../../refused.ts';
import type { ExtraAccess } from '../media/media.routes.ts';
import { findFile } from '../media/media.service.ts';
import { answerPdf, tripIn } from '../tickets/tickets.routes.ts';
import { isRehearsedMedia, rehearsedTickets } from './rehearsal.ts';
import { isStillSpectator, requireSpectator } from './spectator.ts';

/** Grants a spectator of the rehearsal the files that a visit would show now. */
export const rehearsalMediaAccess: ExtraAccess = async (context, id) => {
  const spectator = await requireSpectator(context);
  if (isRefused(spectator)) return null;
  if (!(await isRehearsedMedia(context.deps, spectator, id))) return { refused: 'NOT_FOUND' };
  return { isStillAllowed: () => isStillSpectator(context, spectator) };
};

/** Serves the tickets of the current configuration. Its own address keeps a visitor's cookie in the same browser out of it. */
export function rehearsalTicketsEndpoint(
  deps: Deps,
  isTrustedProxy: IsTrustedProxy,
  transfers: Transfers,
): Endpoint {
  const answer: Handler = async (c) => {
    const { context } = requestContext(deps, isTrustedProxy, c);
    const spectator = await requireSpectator(context);
    if (isRefused(spectator)) return errorResponse(spectator.refused);
    const id = await rehearsedTickets(deps, spectator, tripIn(c));
    const media = id === null ? null : await findFile(deps, id);
    if (media === null || media.deleted_at !== null) return errorResponse('NOT_FOUND');
    const hold = (abort: () => void) => transfers.hold(abort, () => isStillSpectator(context, spectator));
    return answerPdf(deps, c, { media, hold });
  };
  return {
    method: 'GET',
    path: '/rehearsal/tickets/{viaggio}/biglietti.pdf',
    summary: "A trip's tickets as a PDF, in the rehearsal",
    responseType: 'application/pdf',
    refusals: ['SIGN_IN_REQUIRED', 'REHEARSAL_OVER', 'NOT_FOUND'],
    answer,
  };
}
