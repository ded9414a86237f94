import { createReadStream } from 'node:fs';
import type { ErrorCode } from '../../../contract/errors.ts';
import { tripOf, type Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type HttpContext, type RequestContext } from '../../http/request-context.ts';
import { fileHeaders, sendFile, type TrackTransfer } from '../../http/send.ts';
import type { SessionConnections } from '../../live/connections.ts';
import type { Transfers } from '../../live/transfers.ts';
import type { MediaWorker } from '../../media-worker/worker.ts';
import type { Refusal } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { lockConfig } from '../config/config.ts';
import {
  companionFile,
  companionId,
  findFile,
  insertMedia,
  type Media,
  mediaKey,
  putMedia,
  setPages,
  ticketKind,
} from '../media/media.ts';
import { newUploadId } from '../uploads/upload-folder.ts';
import { isKeepsakeStillOpen, requireOpenKeepsake } from '../visit/keepsake.ts';
import { ticketUrl } from '../visit/media-access.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';
import { requireVisit } from '../visit/visitor.ts';

/** Serves a visitor's tickets. */
export const ticketsEndpoint = (connections: SessionConnections): Endpoint =>
  ticketsAt('/visit', requireVisit, {
    summary: "A trip's tickets as a PDF, once the visit has reached its card",
    refusals: ['NO_VISIT', 'VISIT_ENDED', 'DISCONNECTED'],
    find: (ctx, viaggio) => findFileAt(ctx, ticketUrl(ctx.visitor, viaggio)),
    hold: (abort, ctx) => connections.register(ctx.visitor.id, abort),
  });

export const keepsakeTicketsEndpoint = (transfers: Transfers): Endpoint =>
  ticketsAt('/keepsake', requireOpenKeepsake, {
    summary: "A trip's tickets as a PDF, from an open keepsake",
    refusals: ['KEEPSAKE_CLOSED', 'NO_KEEPSAKE'],
    async find(ctx, viaggio) {
      const { snapshot } = await loadVisitPlan(ctx.db, ctx.keepsake.row);
      return findFileAt(ctx, tripOf(snapshot, viaggio).biglietti_url);
    },
    hold: (abort, _ctx, request) => transfers.hold(abort, () => isKeepsakeStillOpen(request)),
  });

type TicketsOf<Ctx> = {
  summary: string;
  refusals: readonly ErrorCode[];
  find(ctx: Ctx, viaggio: Viaggio): Promise<Media | null>;
  hold(abort: () => void, ctx: Ctx, request: RequestContext): ReturnType<TrackTransfer>;
};

/** Serves a trip's tickets behind a guard. A picture is served as its companion PDF of one page (decision 023). */
export function ticketsAt<G extends object>(
  at: `/${string}`,
  guard: (request: RequestContext) => Promise<G>,
  { summary, refusals, find, hold }: TicketsOf<Deps & Exclude<G, Refusal>>,
): Endpoint {
  return {
    method: 'GET',
    path: `${at}/tickets/{viaggio}/biglietti.pdf`,
    summary,
    responseType: 'application/pdf',
    refusals: [...refusals, 'NOT_FOUND'],
    answer: guarded(guard, async (c, ctx, request) => {
      const media = await find(ctx, tripIn(c));
      if (media === null) return errorResponse('NOT_FOUND');
      return answerPdf(ctx, c, media, (abort) => hold(abort, ctx, request));
    }),
  };
}

/** Returns the trip in the request's path. */
export const tripIn = ({ req }: HttpContext): Viaggio => (req.param('viaggio') === '2' ? 2 : 1);

export const findFileAt = (deps: Deps, url: string | null): Promise<Media | null> =>
  findFile(deps, mediaIdOf(url) ?? '');

const headers = fileHeaders({ type: 'application/pdf', name: 'biglietti.pdf' });

/** Serves the PDF. Returns NOT_FOUND if the file is missing or unreadable: the visitor can't fix that, and the log names the file. */
async function answerPdf(deps: Deps, c: HttpContext, media: Media, hold: TrackTransfer): Promise<Response> {
  const { request_id } = c.env.scope;
  try {
    const pdf = await pdfOf(deps, media);
    const open = () => deps.storage.open(mediaKey(pdf));
    return await sendFile(c.env, { size: pdf.size, etag: `"${pdf.sha256}"`, headers, open }, hold);
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    if (!(isLate || error instanceof FileMissing || error instanceof TicketsUnreadable)) throw error;
    deps.log.error({ request_id, err: error, media: media.id }, 'tickets unreadable');
    return errorResponse(isLate ? 'UNAVAILABLE' : 'NOT_FOUND');
  }
}

/** Timeout in ms for building a PDF, including the media worker's queue. */
const TIMEOUT_MS = 60_000;

/** Stored tickets can't be opened, or were deleted in between. */
class TicketsUnreadable extends Error {
  override name = 'TicketsUnreadable';
}

/** PDFs being built, by media worker. Concurrent requests for one PDF share it. */
const builds = new WeakMap<MediaWorker, Map<string, Promise<Media>>>();

/**
 * Returns the PDF of stored tickets: the file itself, or a picture's companion PDF, which is built once if it is missing.
 * Rejects with `TicketsUnreadable`, `FileMissing` or the signal's reason.
 */
export async function pdfOf(
  deps: Deps,
  tickets: Media,
  signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<Media> {
  if (ticketKind(tickets) === 'pdf') return tickets;
  const id = companionId(tickets.id, 'pdf');
  const stored = await findFile(deps, id);
  if (stored !== null) return stored;
  const running = builds.get(deps.mediaWorker) ?? new Map<string, Promise<Media>>();
  builds.set(deps.mediaWorker, running);
  const build = running.get(id) ?? buildPdf(deps, tickets, id, signal).finally(() => running.delete(id));
  running.set(id, build);
  return build;
}

async function buildPdf(deps: Deps, picture: Media, id: string, signal: AbortSignal): Promise<Media> {
  return deps.uploads.folder.withMade(newUploadId(), async ({ made }) => {
    // Another process may have built it since the first look.
    const known = await findFile(deps, id);
    if (known !== null) return known;
    const result = await deps.storage.withLocalPath(mediaKey(picture), (path) =>
      deps.mediaWorker.run(
        { task: 'join', parts: [{ path, kind: ticketKind(picture) }], output: made },
        { signal, progress: () => undefined },
      ),
    );
    if ('refused' in result)
      throw new TicketsUnreadable(`A stored picture of tickets is refused: ${result.refused}`);
    const { row } = await putMedia(deps, { ...companionFile('pdf'), content: createReadStream(made) }, id);
    await insertCompanions(deps, picture, [row]);
    const stored = await findFile(deps, id);
    if (stored === null) throw new TicketsUnreadable('The picture has been removed meanwhile.');
    return stored;
  });
}

/**
 * Inserts the rows of companions with the tickets' deletion time. Does nothing if the tickets are gone (the sweep removes
 * the bytes), or if another process was faster: its rows are the same.
 * @param pages JSON of the drawn pages
 */
export async function insertCompanions(
  { inTransaction }: Deps,
  { id }: Media,
  rows: Parameters<typeof insertMedia>[1][],
  pages?: string,
): Promise<void> {
  const write = inTransaction(async (tx) => {
    await lockConfig(tx);
    const found = await findFile({ db: tx }, id);
    if (found === null) return;
    for (const row of rows) await insertMedia(tx, { ...row, deleted_at: found.deleted_at });
    if (pages !== undefined) await setPages(tx, id, pages);
  });
  await write.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
  });
}
