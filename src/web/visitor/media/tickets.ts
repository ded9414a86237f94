/**
 * A trip's tickets: to keep, to share, to look at.
 *
 *   const tickets = openTickets(url)                    when the card appears; begins to fetch
 *   useSyncExternalStore(tickets.subscribe, tickets.state)
 *   <a href={url} download="biglietti.pdf" target="_blank" rel="noopener" onClick={tickets.downloadTapped}>
 *   {state.canShare && <button onClick={tickets.share}>}  «Salva o condividi»
 *   tickets.bytes().then((bytes) => renderTicketPages(bytes, …))   the pages in the page (ticket-pages.ts)
 *   tickets.close()                                     when the card is left
 *
 * `status` `failed` is «Errore durante il download»: the link stays, it may work all the same.
 */

import { savesData } from './preload.ts';

export type TicketsState = {
  /** `linkOnly`: too large to hold in memory, or the data saver is on. */
  status: 'loading' | 'ready' | 'linkOnly' | 'failed';
  canShare: boolean;
};

export type Tickets = {
  state(): TicketsState;
  subscribe(listener: () => void): () => void;
  /** For the link's click. The first tap is the link's own; where that did nothing the next one saves from memory. */
  downloadTapped(event: { preventDefault(): void }): void;
  /** The phone's share sheet. Synchronous: only inside a tap is it allowed. */
  share(): void;
  /** The file itself, from memory or from the server. Rejects when neither has it. */
  bytes(): Promise<Blob>;
  close(): void;
};

const NAME = 'biglietti.pdf';
/** What a phone may hold in memory besides everything else. */
const MAX_BYTES = 15 * 1024 * 1024;
const SECOND_TRY_MS = 2_000;
const REVOKE_MS = 60_000;

/** @param url the download address (always a PDF, same origin, authorised by cookie) */
export function openTickets(url: string): Tickets {
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  let state: TicketsState = { status: 'loading', canShare: false };
  let file: File | null = null;
  let taps = 0;

  const become = (status: TicketsState['status']) => {
    if (stop.signal.aborted) return;
    state = { status, canShare: file !== null && mayShare(file) };
    for (const listener of listeners) listener();
  };
  const prefetch = async () => {
    file = await fetchFile(url, MAX_BYTES, stop.signal);
    become(file === null ? 'linkOnly' : 'ready');
  };
  if (savesData()) state = { status: 'linkOnly', canShare: false };
  else
    prefetch()
      .catch(() => pause(SECOND_TRY_MS, stop.signal).then(prefetch))
      .catch(() => become('failed'));

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    downloadTapped(event) {
      taps += 1;
      if (taps === 1 || file === null) return;
      event.preventDefault();
      saveFromMemory(file);
    },
    share() {
      if (file !== null && mayShare(file)) navigator.share({ files: [file] }).catch(() => undefined);
    },
    bytes: async () => file ?? (await fetchFile(url, Number.POSITIVE_INFINITY, stop.signal)) ?? new Blob(),
    close: () => stop.abort(),
  };
}

/** Pictures are shown as they are, PDFs page by page. @param url the ticket's own address, with its extension */
export function ticketKind(url: string): 'pdf' | 'picture' {
  return /\.(png|jpe?g)(\?|$)/i.test(url) ? 'picture' : 'pdf';
}

async function fetchFile(url: string, limit: number, signal: AbortSignal): Promise<File | null> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`tickets: ${answer.status}`);
  if (Number(answer.headers.get('content-length')) > limit) {
    await answer.body?.cancel();
    return null;
  }
  const bytes = await answer.blob();
  return bytes.size > limit ? null : new File([bytes], NAME, { type: 'application/pdf' });
}

function mayShare(file: File): boolean {
  const { canShare, share } = navigator as Partial<Navigator>;
  if (canShare === undefined || share === undefined) return false;
  try {
    return canShare.call(navigator, { files: [file] });
  } catch {
    return false;
  }
}

function saveFromMemory(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('closed'));
    });
  });
}
