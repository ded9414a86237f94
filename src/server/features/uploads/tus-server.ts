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

/** A refusal of ours in the form the library hands through; `ourAnswer` reads it again. */
const no = (codice: ErrorCode) => ({ status_code: 400, body: codice });

/**
 * The tus protocol over the folder of uploads. What was announced is checked before a byte comes; the bytes themselves are checked when
 * all are here.
 * @param onArrived told of an upload whose every byte is there
 */
export function createTusServer(deps: TusDeps, onArrived: (id: string) => void): Server {
  const { folder, turns } = deps.uploads;
  return new Server({
    path: UPLOADS_PATH,
    relativeLocation: true,
    datastore: folder.store,
    locker: turns,
    // Whoever is asked to leave has nothing to tidy up: what came is written already.
    lockDrainTimeout: 1,
    allowedOrigins: () => false,
    namingFunction: newUploadId,
    async onIncomingRequest(request, id) {
      if (request.method === 'DELETE') await stopWork(deps.uploads, id);
    },
    async onUploadCreate(_request, upload) {
      const refused = await refusalOf(deps, upload);
      if (refused !== null) throw no(refused);
      return {};
    },
    async onUploadFinish(_request, { id }) {
      onArrived(id);
      return {};
    },
    onResponseError: (_request, error) => {
      // What the library says itself has a status; anything else is for the log.
      if (error instanceof Error && !('status_code' in error)) throw error;
      return undefined;
    },
  });
}

/** Why an upload that is announced so can't come, or null. */
async function refusalOf(deps: TusDeps, { size, metadata }: Announced): Promise<ErrorCode | null> {
  const slot = SLOT_NAMES.find((name) => name === metadata?.slot);
  if (slot === undefined || size === undefined || metadata === undefined) return 'BAD_INPUT';
  if (!metadata.filename) return 'FILE_REQUIRED';
  if (Metadata.stringify(metadata).length > LONGEST_METADATA) return 'BAD_INPUT';
  if (size === 0) return 'FILE_EMPTY';
  if (size > largestUpload(slot, deps.env.MAX_VIDEO_MB * 1024 ** 2)) return 'FILE_TOO_LARGE';
  return makeRoom(deps, { size, most: UPLOADS.unfinished });
}

/** A name of 200 signs and a slot, with room to spare. */
const LONGEST_METADATA = 4_096;

/** An upload nobody has written to for this long (ms) may give way to a new one. */
const IDLE_MS = 10 * MINUTE_MS;

/**
 * Is there room for one more upload? Beyond `most` unfinished ones the one that has been idle longest gives way.
 * A file lies three times on the disk for a moment: as it came, as it was made, and where it is kept.
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
