import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type HttpContext } from '../../http/request-context.ts';
import { fileHeaders, type ServedFile, sendFile, type TrackTransfer } from '../../http/send.ts';
import type { SessionConnections } from '../../live/connections.ts';
import type { Transfers } from '../../live/transfers.ts';
import { FileMissing } from '../../storage/storage.ts';
import { findFile, type Media, mediaKey } from '../media/media.ts';
import { requireVisit } from '../visit/guards.ts';
import { isKeepsakeStillOpen, requireOpenKeepsake } from '../visit/keepsake.ts';
import { ticketUrl } from '../visit/media-access.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';
import { pdfOf, TicketsUnreadable } from './picture-pdf.service.ts';

/** Serves a visitor's tickets. A picture is served as its companion PDF of one page (decision 023). */
export function ticketsEndpoint(connections: SessionConnections): Endpoint {
  const answer = guarded(requireVisit, async (c, ctx) => {
    const media = await fileAt(ctx, ticketUrl(ctx.visitor, tripIn(c)));
    if (media === null) return errorResponse('NOT_FOUND');
    const hold = (abort: () => void) => connections.register(ctx.visitor.id, abort);
    return answerPdf(ctx, c, { media, hold });
  });
  return {
    method: 'GET',
    path: '/visit/tickets/{viaggio}/biglietti.pdf',
    summary: "A trip's tickets as a PDF, once the visit has reached its card",
    responseType: 'application/pdf',
    refusals: ['NO_VISIT', 'VISIT_ENDED', 'DISCONNECTED', 'NOT_FOUND'],
    answer,
  };
}

export function keepsakeTicketsEndpoint(transfers: Transfers): Endpoint {
  const answer = guarded(requireOpenKeepsake, async (c, ctx, request) => {
    const { snapshot } = await loadVisitPlan(ctx.db, ctx.keepsake.row);
    const media = await fileAt(ctx, tripOf(snapshot, tripIn(c)).biglietti_url);
    if (media === null) return errorResponse('NOT_FOUND');
    const hold = (abort: () => void) => transfers.hold(abort, () => isKeepsakeStillOpen(request));
    return answerPdf(ctx, c, { media, hold });
  });
  return {
    method: 'GET',
    path: '/keepsake/tickets/{viaggio}/biglietti.pdf',
    summary: "A trip's tickets as a PDF, from an open keepsake",
    responseType: 'application/pdf',
    refusals: ['KEEPSAKE_CLOSED', 'NO_KEEPSAKE', 'NOT_FOUND'],
    answer,
  };
}

/** Returns the trip in the request's path. */
export const tripIn = ({ req }: HttpContext): Viaggio => (req.param('viaggio') === '2' ? 2 : 1);

async function fileAt(deps: Deps, url: string | null): Promise<Media | null> {
  const id = mediaIdOf(url);
  return id === null ? null : findFile(deps, id);
}

type Tickets = { media: Media; hold: TrackTransfer };

/** Serves the PDF. Returns NOT_FOUND if the file is missing or unreadable: the visitor can't fix that, and the log names the file. */
export async function answerPdf(deps: Deps, c: HttpContext, { media, hold }: Tickets): Promise<Response> {
  const { request_id } = c.env.scope;
  try {
    return await sendFile(c.env, toServedFile(deps, await pdfOf(deps, media)), hold);
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    if (!(isLate || error instanceof FileMissing || error instanceof TicketsUnreadable)) throw error;
    deps.log.error({ request_id, err: error, media: media.id }, 'tickets unreadable');
    return errorResponse(isLate ? 'UNAVAILABLE' : 'NOT_FOUND');
  }
}

function toServedFile({ storage }: Deps, pdf: Media): ServedFile {
  const { size, sha256 } = pdf;
  return { size, etag: `"${sha256}"`, headers, open: () => storage.open(mediaKey(pdf)) };
}

const headers = fileHeaders({ type: 'application/pdf', name: 'biglietti.pdf' });
