/**
 * A trip's tickets, to download and to share; their pages are separate pictures. Call `fetchAhead` when the card appears and
 * `downloadTapped` in the link's click. Call `share` inside a tap if `canShare`, and `close` when they are out of reach. A failed
 * prefetch is silent and repeated until `close`. A tap has a visible result: «Download avviato!» if the tickets are available, else
 * «Errore durante il download»; the link stays.
 */

import { supportsShare } from '../../ui/may-share.ts';
import { saveFile } from '../../ui/save-file.ts';
import { createStore } from '../../ui/store.ts';
import { retryDelayMs, sleep } from '../../ui/waiting.ts';
import { savesData } from './preload.ts';

export type TicketsState = {
  /** `linkOnly`: too large for memory, refused, or the data saver is on. */
  status: 'loading' | 'ready' | 'linkOnly';
  canShare: boolean;
};

export type Tickets = {
  /** Fetches them into memory, once, for saving and sharing without a network. */
  fetchAhead(): void;
  state(): TicketsState;
  subscribe(listener: () => void): () => void;
  /**
   * Handles the link's click. The first tap uses the link itself; without a network, or at a repeated tap, the file is saved from memory.
   * @returns true if the tickets are available: from the server, which is asked, or from memory
   */
  downloadTapped(event: { preventDefault(): void }): Promise<boolean>;
  /** Opens the phone's share sheet. Synchronous: allowed only inside a tap. */
  share(): void;
  close(): void;
};

const NAME = 'biglietti.pdf';
/** Largest file to hold in memory, next to everything else. */
const MAX_BYTES = 15 * 1024 * 1024;
/** Waits in ms between attempts to prefetch the tickets, and for the server's answer at a tap. */
const RETRY_MS = { first: 2_000, longest: 30_000 };
const ANSWER_MS = 10_000;

/** @param url the download address (always a PDF, same origin, authorised by cookie) */
export function openTickets(url: string): Tickets {
  const stop = new AbortController();
  const shown = createStore<TicketsState>({ status: 'loading', canShare: false });
  let file: File | null = null;
  let taps = 0;
  let hasStarted = false;

  const setStatus = (status: TicketsState['status']) => {
    if (!stop.signal.aborted)
      shown.set({ status, canShare: file !== null && supportsShare({ files: [file] }) });
  };
  const prefetch = async (failures: number): Promise<void> => {
    try {
      file = await fetchFile(url, MAX_BYTES, stop.signal);
      setStatus(file === null ? 'linkOnly' : 'ready');
    } catch {
      await sleep(retryDelayMs(failures, RETRY_MS), stop.signal);
      if (!stop.signal.aborted) await prefetch(failures + 1);
    }
  };
  const saveFromMemory = () => {
    if (file !== null) saveFile(NAME, file);
    return file !== null;
  };

  return {
    fetchAhead() {
      if (hasStarted) return;
      hasStarted = true;
      if (savesData()) setStatus('linkOnly');
      else void prefetch(0);
    },
    state: shown.state,
    subscribe: shown.subscribe,
    async downloadTapped(event) {
      taps += 1;
      // No server is asked for tickets in the page itself (Piano B).
      if (file === null || (taps === 1 && navigator.onLine && !url.startsWith('blob')))
        return (await isAvailable(url)) || saveFromMemory();
      event.preventDefault();
      return saveFromMemory();
    },
    share() {
      if (file !== null && supportsShare({ files: [file] }))
        navigator.share({ files: [file] }).catch(() => undefined);
    },
    close: () => stop.abort(),
  };
}

/** Returns true if the server has the tickets now. */
async function isAvailable(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }))
      .ok;
  } catch {
    return false;
  }
}

/** Returns null if the file is too large or permanently refused. Throws on errors that a retry may solve. */
async function fetchFile(url: string, limit: number, signal: AbortSignal): Promise<File | null> {
  const answer = await fetch(url, { signal });
  if (answer.status >= 400 && answer.status < 500) return null;
  if (!answer.ok) throw new Error(`tickets: ${answer.status}`);
  if (Number(answer.headers.get('content-length')) > limit) {
    await answer.body?.cancel();
    return null;
  }
  const bytes = await answer.blob();
  return bytes.size > limit ? null : new File([bytes], NAME, { type: 'application/pdf' });
}
