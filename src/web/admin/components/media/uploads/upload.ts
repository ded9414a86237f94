import type { MediaItem } from '../../../../../contract/admin/media.ts';
import type { SlotName } from '../../../../../domain/media-slots.ts';

/** Where an upload stands. */
export type UploadState =
  /** Bytes leave. Null while nobody can say yet. */
  | { phase: 'sending'; bytesPerSecond: number | null; secondsLeft: number | null }
  /** The network or the server is away; it goes on by itself. */
  | { phase: 'waiting' }
  /** The browser can't read the file any more: it must be chosen again. */
  | { phase: 'file-lost' }
  /** Every byte is there and the server looks at them; 0 to 1. */
  | { phase: 'checking'; progress: number }
  /** It stopped, and may be tried again. */
  | { phase: 'failed'; messaggio: string }
  /** The server doesn't want this file. */
  | { phase: 'refused'; messaggio: string };

export type Upload = {
  key: string;
  slot: SlotName;
  nome: string;
  /** Bytes, and how many of them the server has or is being sent. */
  size: number;
  sent: number;
  state: UploadState;
};

/** What an upload ended in. */
export type Kept = { item: MediaItem; versione: number };

/** Does it still want this page to stay open? */
export function needsThePage({ state }: Upload): boolean {
  return state.phase === 'sending' || state.phase === 'waiting' || state.phase === 'file-lost';
}

/** Is it over, and only waits to be read? */
export function isRefused({ state }: Upload): boolean {
  return state.phase === 'refused';
}
