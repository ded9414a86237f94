import { MEDIA_SLOTS, mediaIdOf } from '../../../domain/media.ts';
import type { Deps } from '../../deps.ts';
import { listFiles } from '../media/library.repo.ts';
import { findFile } from '../media/media.ts';
import { pdfOf } from './picture-pdf.service.ts';

type StartDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'log'>;

/**
 * Builds missing PDFs of the listed ticket pictures once at startup, so that no visitor waits for them.
 * Returns a function that stops it.
 */
export function startPicturePdfs(deps: StartDeps): () => Promise<void> {
  const stopping = new AbortController();
  const made = makePdfs(deps, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) deps.log.error({ err: error }, 'looking for pictures of tickets failed');
  });
  return async () => {
    stopping.abort();
    await made;
  };
}

async function makePdfs(deps: StartDeps, signal: AbortSignal): Promise<void> {
  const listed = [
    ...(await listFiles(deps.db, MEDIA_SLOTS.biglietti)),
    ...(await listFiles(deps.db, MEDIA_SLOTS.biglietti_2)),
  ];
  for (const id of listed.flatMap(({ url }) => mediaIdOf(url) ?? [])) {
    signal.throwIfAborted();
    const tickets = await findFile(deps, id);
    if (tickets === null) continue;
    await pdfOf(deps, tickets, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      deps.log.error({ err: error, media: id }, 'tickets unreadable');
    });
  }
}
