/**
 * A trip's tickets: to keep and to share. Their pages are pictures of their own.
 *
 *   const tickets = openTickets(url)
 *   tickets.fetchAhead()                                when the card appears
 *   useSyncExternalStore(tickets.subscribe, tickets.state)
 *   <a href={url} download="biglietti.pdf" target="_blank" rel="noopener" onClick={tickets.downloadTapped}>   resolves to what came of it
 *   {state.canShare && <button onClick={tickets.share}>}  «Salva o condividi»
 *   tickets.close()                                     when they are out of reach
 *
 * What is fetched ahead is nobody's wish yet: that it can't be had is no news, it is tried again for as long as the tickets are within reach.
 * Only a tap has an outcome: «Download avviato!» when the tickets can be had, «Errore durante il download» when not; the link stays.
 */

import { supportsShare } from '../../ui/may-share.ts';
import { saveFile } from '../../ui/save-file.ts';
import { createStore } from '../../ui/store.ts';
import { retryDelayMs, sleep } from '../../ui/waiting.ts';
import { savesData } from './preload.ts';

export type TicketsState = {
  /** `linkOnly`: too large to hold in memory, refused, or the data saver is on. */
  status: 'loading' | 'ready' | 'linkOnly';
  canShare: boolean;
};

export type Tickets = {
  /** Fetches them into memory, once, so that keeping and sharing need no network later. */
  fetchAhead(): void;
  state(): TicketsState;
  subscribe(listener: () => void): () => void;
  /**
   * For the link's click. The first tap is the link's own; where that did nothing, or can't for want of a network, it is saved from memory.
   * @returns whether the tickets can be had: from the server, which is asked, or from memory
   */
  downloadTapped(event: { preventDefault(): void }): Promise<boolean>;
  /** The phone's share sheet. Synchronous: only inside a tap is it allowed. */
  share(): void;
  close(): void;
};

const NAME = 'biglietti.pdf';
/** What a phone may hold in memory besides everything else. */
const MAX_BYTES = 15 * 1024 * 1024;
/** Waits between tries to fetch the tickets ahead, and for the server's word at a tap; milliseconds. */
const TRY_AGAIN_MS = { first: 2_000, longest: 30_000 };
const ANSWER_MS = 10_000;

/** @param url the download address (always a PDF, same origin, authorised by cookie) */
export function openTickets(url: string): Tickets {
  const stop = new AbortController();
  const shown = createStore<TicketsState>({ status: 'loading', canShare: false });
  let file: File | null = null;
  let taps = 0;
  let begun = false;

  const become = (status: TicketsState['status']) => {
    if (!stop.signal.aborted)
      shown.set({ status, canShare: file !== null && supportsShare({ files: [file] }) });
  };
  const prefetch = async (failures: number): Promise<void> => {
    try {
      file = await fetchFile(url, MAX_BYTES, stop.signal);
      become(file === null ? 'linkOnly' : 'ready');
    } catch {
      await sleep(retryDelayMs(failures, TRY_AGAIN_MS), stop.signal);
      if (!stop.signal.aborted) await prefetch(failures + 1);
    }
  };
  const savedFromMemory = () => {
    if (file !== null) saveFile(NAME, file);
    return file !== null;
  };

  return {
    fetchAhead() {
      if (begun) return;
      begun = true;
      if (savesData()) become('linkOnly');
      else void prefetch(0);
    },
    state: shown.state,
    subscribe: shown.subscribe,
    async downloadTapped(event) {
      taps += 1;
      // What lies in the page itself (an evening without the site) no server is asked for.
      if (file === null || (taps === 1 && navigator.onLine && !url.startsWith('blob')))
        return (await answers(url)) || savedFromMemory();
      event.preventDefault();
      return savedFromMemory();
    },
    share() {
      if (file !== null && supportsShare({ files: [file] }))
        navigator.share({ files: [file] }).catch(() => undefined);
    },
    close: () => stop.abort(),
  };
}

/** Has the server got them to give, now? */
async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }))
      .ok;
  } catch {
    return false;
  }
}

/** Null when it is too large, or refused for good. Throws what may be better the next time. */
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
