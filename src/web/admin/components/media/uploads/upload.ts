import type { SlotName } from '../../../../../domain/media-slots.ts';

/** Where an upload stands. */
export type UploadState =
  /** Bytes leave. Null while nobody can say yet. */
  | { phase: 'sending'; bytesPerSecond: number | null; secondsLeft: number | null }
  /** The network or the server is away; it goes on by itself. */
  | { phase: 'waiting' }
  /** The browser can't read the file any more: it must be chosen again. */
  | { phase: 'file-lost' }
  /** It stopped, and may be tried again. */
  | { phase: 'failed'; messaggio: string }
  /** The server doesn't want this file. */
  | { phase: 'refused'; messaggio: string };

/** A file on its way to the server. What has arrived whole is none any more: the server says what it makes of it. */
export type Upload = {
  key: string;
  /** What the server calls it, once it does. */
  upload: string | null;
  slot: SlotName;
  nome: string;
  /** Bytes, and how many of them the server has or is being sent. */
  size: number;
  sent: number;
  state: UploadState;
};

/** Does it still want this page to stay open? */
export function needsThePage({ state }: Upload): boolean {
  return state.phase === 'sending' || state.phase === 'waiting' || state.phase === 'file-lost';
}

/** Is it over, and only waits to be read? */
export function isRefused({ state }: Upload): boolean {
  return state.phase === 'refused';
}
