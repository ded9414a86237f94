import type { SlotName } from '../../../../../domain/media.ts';

/** State of an upload. */
export type UploadState =
  /** Bytes are being sent; null while the speed is unknown. */
  | { phase: 'sending'; bytesPerSecond: number | null; secondsLeft: number | null }
  /** The network or the server is unavailable; it resumes automatically. */
  | { phase: 'waiting' }
  /** The browser can't read the file any more; it must be chosen again. */
  | { phase: 'file-lost' }
  /** It stopped, and can be retried. */
  | { phase: 'failed'; messaggio: string }
  /** The server refused the file. */
  | { phase: 'refused'; messaggio: string };

/** A file being sent. Once complete it is removed from the list, and the server reports its processing. */
export type Upload = {
  key: string;
  /** The server's id of the upload; null until it is assigned. */
  upload: string | null;
  slot: SlotName;
  nome: string;
  /** Total bytes, and those sent or being sent. */
  size: number;
  sent: number;
  state: UploadState;
};

/** Returns true if the page must stay open for this upload. */
export function needsOpenPage({ state }: Upload): boolean {
  return state.phase === 'sending' || state.phase === 'waiting' || state.phase === 'file-lost';
}

/** Returns true if the upload was refused and only waits to be dismissed. */
export function isRefused({ state }: Upload): boolean {
  return state.phase === 'refused';
}
