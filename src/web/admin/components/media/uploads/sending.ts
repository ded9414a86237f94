import { DetailedError, Upload as TusUpload } from 'tus-js-client';
import { UPLOAD_PIECE } from '../../../../../domain/limits.ts';
import type { SlotName } from '../../../../../domain/media.ts';
import { savedTexts } from '../../../../../texts/admin/media.ts';
import { ApiError } from '../../../../api/failure.ts';
import { isSignInPending } from '../../../signed-out.ts';
import { localUploadUrl, uploadsEndpoint } from './own-address.ts';
import { authRetryStack } from './signed-in-stack.ts';
import { type StopReason, stopReasonFor } from './stops.ts';

/** Chunk size in bytes that the proxies accept; halved when one refuses. */
let chunkBytes: number = UPLOAD_PIECE.defaultBytes;
/** A connection without progress for this time, in ms, counts as dead. */
const STALLED_MS = 60_000;

export type SendingEvents = {
  /** Called when the server has assigned an address. */
  onAddress: (address: string) => void;
  onProgress: (sent: number) => void;
  /** Called after the server accepted a chunk: the connection works. */
  onTaken: () => void;
  onSent: () => void;
  onStop: (stop: StopReason) => void;
};

export type FileSender = {
  /** Starts, or resumes from the server's offset. */
  go: () => Promise<void>;
  /** Stops; the bytes received stay on the server. */
  pause: () => void;
  /** Stops and deletes the upload on the server. */
  abandon: () => Promise<void>;
};

/** Sends the bytes of one file. Does not retry: `onStop` reports the reason. */
export function createSending(file: File, slot: SlotName, events: SendingEvents): FileSender {
  const watch = createWatch(() => {
    void tus.abort();
    events.onStop({ kind: 'wait' });
  });
  const tus = new TusUpload(file, {
    endpoint: uploadsEndpoint(),
    chunkSize: chunkBytes,
    metadata: { slot, filename: file.name },
    retryDelays: null,
    fingerprint: () => fingerprintOf(file, slot),
    httpStack: authRetryStack,
    onUploadUrlAvailable: () => {
      tus.url = localUploadUrl(tus.url ?? '');
      events.onAddress(tus.url);
    },
    onProgress: (sent) => {
      watch.touch();
      events.onProgress(sent);
    },
    onChunkComplete: events.onTaken,
    onSuccess: () => {
      watch.stop();
      events.onSent();
    },
    onError: (error) => {
      watch.stop();
      void reportStop(error);
    },
  });
  async function reportStop(error: Error): Promise<void> {
    const details = error instanceof DetailedError ? error : null;
    const stop = await stopReasonFor(details?.originalResponse ?? null, details?.causingError ?? error, file);
    if (stop.kind !== 'too-large') return events.onStop(stop);
    if (makeSmaller(tus)) return start();
    events.onStop({ kind: 'failed', failure: new ApiError('UNREADABLE', savedTexts.proxyLimit) });
  }
  function start(): void {
    watch.touch();
    tus.start();
  }
  return {
    go: async () => {
      if (tus.url === null) {
        const [previous] = await tus.findPreviousUploads();
        if (previous !== undefined) tus.resumeFromPreviousUpload(previous);
      }
      start();
    },
    pause: () => {
      watch.stop();
      void tus.abort();
    },
    abandon: async () => {
      watch.stop();
      await tus.abort(true).catch(() => undefined);
    },
  };
}

/** Halves the chunk size for later requests; returns false at the minimum, which every proxy accepts. */
function makeSmaller({ options }: TusUpload): boolean {
  const { chunkSize = chunkBytes } = options;
  if (chunkSize <= UPLOAD_PIECE.minBytes) return false;
  chunkBytes = Math.min(chunkBytes, Math.max(UPLOAD_PIECE.minBytes, chunkSize / 2));
  options.chunkSize = chunkBytes;
  return true;
}

function createWatch(onStalled: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const touch = () => {
    stop();
    // Waiting for a new sign-in does not count as stalled.
    timer = setTimeout(() => (isSignInPending() ? touch() : onStalled()), STALLED_MS);
  };
  return { stop, touch };
}

/** Bytes read at each of three positions. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * Identifies an unfinished upload when its file is chosen again. Uses content instead of name and time, because a phone reports a
 * new time each time the same video is picked.
 */
async function fingerprintOf(file: File, slot: SlotName): Promise<string> {
  const offsets = [0, Math.floor(file.size / 2), Math.max(0, file.size - SAMPLE_BYTES)];
  const samples = offsets.map((start) => file.slice(start, start + SAMPLE_BYTES));
  return `sorpresa-${slot}-${file.size}-${await digest(new Blob(samples), file)}`;
}

async function digest(samples: Blob, file: File): Promise<string> {
  // `crypto.subtle` requires https or localhost.
  if (!('subtle' in crypto)) return `${file.name}-${file.lastModified}`;
  const hash = await crypto.subtle.digest('SHA-256', await samples.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
