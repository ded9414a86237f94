import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import type { Deps } from '../../deps.ts';
import type { Trusts } from '../../http/address.ts';
import { disposition } from '../../http/disposition.ts';
import { refuse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler, HttpContext } from '../../http/scope.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { type Hold, type OfferedFile, sendFile } from '../../http/send-file.ts';
import type { Connections } from '../../live/connections.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused } from '../../refused.ts';
import { FileMissing, type OpenFile } from '../../storage/storage.ts';
import { fileOf, type Media, mediaKey } from '../media/media.service.ts';
import { rehearsedTickets } from '../rehearsal/rehearsal.service.ts';
import { isStillSpectator, requireSpectator } from '../rehearsal/spectator.ts';
import { requireVisit } from '../visit/guards.ts';
import { ticketUrl } from '../visit/media-access.ts';
import type { VisitorSession } from '../visit/visitor-session.ts';
import { createPicturePdf, isPicture, type PicturePdf, PictureUnreadable } from './ticket-pdf.ts';

/**
 * `GET /visit/tickets/{1|2}/biglietti.pdf`: a trip's tickets to keep, once its card has been handed out. A picture becomes a PDF of one
 * page (decision 15).
 */
export function ticketsHandler(deps: Deps, trusts: Trusts, connections: Connections): Handler {
  const picturePdf = createPicturePdf();
  return async (c) => {
    const guarded = await requireVisit(requestContext(deps, trusts, c).context);
    if (isRefused(guarded)) return refuse(guarded.refused);
    const { visitor } = guarded;
    const media = await ticketsOf(deps, visitor, tripIn(c.req.path));
    if (media === null) return refuse('NOT_FOUND');
    const hold = (cut: () => void) => connections.hold(visitor.id, cut);
    return answerPdf(deps, c, { media, picturePdf, hold });
  };
}

/**
 * `GET /rehearsal/tickets/{1|2}/biglietti.pdf`: the tickets that the configuration points to now. An address of its own: a visitor's cookie in
 * the same browser has no part in it.
 */
export function rehearsalTicketsHandler(deps: Deps, trusts: Trusts, transfers: Transfers): Handler {
  const picturePdf = createPicturePdf();
  return async (c) => {
    const { context } = requestContext(deps, trusts, c);
    const spectator = await requireSpectator(context);
    if (isRefused(spectator)) return refuse(spectator.refused);
    const id = await rehearsedTickets(deps, spectator, tripIn(c.req.path));
    const media = id === null ? null : await fileOf(deps, id);
    if (media === null || media.deleted_at !== null) return refuse('NOT_FOUND');
    const hold = (cut: () => void) => transfers.hold(cut, () => isStillSpectator(context, spectator));
    return answerPdf(deps, c, { media, picturePdf, hold });
  };
}

const tripIn = (path: string): Viaggio => (/\/tickets\/2\//.test(path) ? 2 : 1);

async function ticketsOf(deps: Deps, visitor: VisitorSession, viaggio: Viaggio): Promise<Media | null> {
  const id = mediaIdOf(ticketUrl(visitor, viaggio));
  return id === null ? null : fileOf(deps, id);
}

type Tickets = { media: Media; picturePdf: PicturePdf; hold: Hold };

/** Tickets whose file is gone or can't be opened are not found: the visitor can't help it, the log says which they are. */
async function answerPdf(
  deps: Deps,
  c: HttpContext,
  { media, picturePdf, hold }: Tickets,
): Promise<Response> {
  try {
    return await sendFile(c.env, await pdfOf(deps, media, picturePdf), hold);
  } catch (error) {
    if (!(error instanceof FileMissing || error instanceof PictureUnreadable)) throw error;
    deps.log.error({ request_id: c.env.scope.request_id, err: error, media: media.id }, 'tickets unreadable');
    return refuse('NOT_FOUND');
  }
}

async function pdfOf({ storage }: Deps, media: Media, picturePdf: PicturePdf): Promise<OfferedFile> {
  const key = mediaKey(media);
  const { content_type, size, sha256 } = media;
  if (!isPicture(content_type)) return { size, etag: `"${sha256}"`, headers, open: () => storage.open(key) };
  const bytes = await picturePdf(media.id, async () => buffer(await storage.read(key)));
  return {
    size: bytes.length,
    // No two wrappings are the same to the byte: what is resumed must go on with the very one it began with.
    etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    headers,
    open: async () => inMemory(bytes),
  };
}

function inMemory(bytes: Uint8Array): OpenFile {
  return {
    read: async (into, position) => {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
    close: () => undefined,
  };
}

const headers = {
  'Content-Type': 'application/pdf',
  'Content-Disposition': disposition('attachment', 'biglietti.pdf'),
  'Content-Security-Policy': FILE_POLICY.pdf,
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
};
