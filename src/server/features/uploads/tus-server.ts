import { Metadata, Server } from '@tus/server';
import type { ErrorCode } from '../../../contract/errors.ts';
import { DISK_SPACE, UPLOADS } from '../../../domain/limits.ts';
import { largestUpload, SLOT_NAMES } from '../../../domain/media-slots.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { ensureFreeSpace, type SpaceDeps } from '../media/room.ts';
import { newUploadId } from './upload-folder.ts';
import { stopWork } from './uploads.ts';

export const UPLOADS_PATH = '/api/admin/uploads';

type TusDeps = SpaceDeps & Pick<Deps, 'env'>;
type Announced = { size: number | undefined; metadata?: Record<string, string | null> | undefined };

/** An error that the library passes through unchanged; uploads.routes.ts reads it. */
const toLibraryError = (codice: ErrorCode) => ({ status_code: 400, body: codice });

/**
 * tus server on the upload folder. The announcement is checked before the first byte, the bytes after the last one.
 * @param onArrived called with the id of a completed upload
 */
export function createTusServer(deps: TusDeps, onArrived: (id: string) => void): Server {
  const { folder, turns } = deps.uploads;
  return new Server({
    path: UPLOADS_PATH,
    relativeLocation: true,
    datastore: folder.store,
    locker: turns,
    // A request that must leave has nothing to clean up: received bytes are written already.
    lockDrainTimeout: 1,
    allowedOrigins: () => false,
    namingFunction: newUploadId,
    async onIncomingRequest(request, id) {
      if (request.method === 'DELETE') await stopWork(deps.uploads, id);
    },
    async onUploadCreate(_request, upload) {
      const refused = await refusalOf(deps, upload);
      if (refused !== null) throw toLibraryError(refused);
      return {};
    },
    async onUploadFinish(_request, { id }) {
      onArrived(id);
      return {};
    },
    onResponseError: (_request, error) => {
      // Errors of the library have a status. Any other one is logged.
      if (error instanceof Error && !('status_code' in error)) throw error;
      return undefined;
    },
  });
}

/** Returns the reason to refuse an announced upload, or null. */
async function refusalOf(deps: TusDeps, { size, metadata }: Announced): Promise<ErrorCode | null> {
  const slot = SLOT_NAMES.find((name) => name === metadata?.slot);
  if (slot === undefined || size === undefined || metadata === undefined) return 'BAD_INPUT';
  if (!metadata.filename) return 'FILE_REQUIRED';
  if (Metadata.stringify(metadata).length > LONGEST_METADATA) return 'BAD_INPUT';
  if (size === 0) return 'FILE_EMPTY';
  if (size > largestUpload(slot, deps.env.MAX_VIDEO_MB * 1024 ** 2)) return 'FILE_TOO_LARGE';
  return makeRoom(deps, { size, most: UPLOADS.unfinished });
}

/** Maximum length: a name of 200 characters and a slot, with a margin. */
const LONGEST_METADATA = 4_096;

/** Time in ms without writes after which an upload may be deleted for a new one. */
const IDLE_MS = 10 * MINUTE_MS;

/**
 * Makes room for one more upload, or returns a refusal. With `most` unfinished ones, deletes the one that was idle longest.
 * A file needs three times its size for a moment: received, converted and stored.
 */
async function makeRoom(
  deps: SpaceDeps,
  { size, most }: { size: number; most: number },
): Promise<'STORAGE_FULL' | 'UPLOADS_BUSY' | null> {
  const { folder } = deps.uploads;
  const all = (await folder.list()).flatMap(({ upload }) => upload ?? []);
  const unfinished = all.filter(({ size: whole, offset }) => offset < whole);
  if (unfinished.length >= most) {
    const idle = unfinished
      .filter(({ touched }) => Date.now() - touched > IDLE_MS)
      .toSorted((a, b) => a.touched - b.touched);
    const [oldest] = idle;
    if (oldest === undefined) return 'UPLOADS_BUSY';
    await folder.remove(oldest.id);
  }
  const stillToCome = unfinished.reduce((sum, { size: whole, offset }) => sum + whole - offset, 0);
  return (await ensureFreeSpace(deps, 3 * size + stillToCome + DISK_SPACE.low)) ? null : 'STORAGE_FULL';
}
