import type { AdminLiveMessage } from '../../contract/admin/live.ts';
import type { LiveMessage } from '../../contract/visit.ts';
import { retryDelayMs } from '../ui/waiting.ts';

/** What a channel may say, by its address. */
type Messages = { '/api/visit/events': LiveMessage; '/api/admin/events': AdminLiveMessage };

export type LiveListener<Message> = {
  message(message: Message): void;
  /** The channel was opened (again): messages may have been missed, ask for the state (heartbeat). */
  opened(): void;
  /** The channel was living, or asked for the first time, and is refused now: whoever was let in may not be any more. */
  refused?(): void;
};

/** A stream without a sign of life for this long is dead even if it says it is open (phones); the server pings every 15 s. */
const SILENCE_MS = 40_000;
/** Wait before opening again after a refusal or a failure, in milliseconds: random, doubled each time. */
const SOONEST_MS = 500;
const LATEST_MS = 5_000;
const LONGEST_MS = 30_000;
const NAMES = ['ping', 'disconnected', 'changed', 'resync', 'bye'] as const;

/**
 * A live channel, the visitor's or the administrator's. One stream at a time, only while the page is visible, and a new one whenever it is shown again:
 * an old one may have died without a word.
 * @returns the function that closes it for good
 */
export function openEvents<Url extends keyof Messages>(
  url: Url,
  listener: LiveListener<Messages[Url]>,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const after = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(open, ms);
  };
  const openLater = (failed: 0 | 1) => {
    close();
    after(retryDelay(failures));
    failures += failed;
  };
  const alive = () => {
    failures = 0;
    after(SILENCE_MS);
  };
  const receive = (event: MessageEvent) => {
    alive();
    const message = parsed<Messages[Url]>(event);
    // A goodbye is no failure: a refusal after it is the first.
    if (message?.type === 'bye') openLater(0);
    if (message !== undefined) listener.message(message);
  };
  function open() {
    close();
    if (document.visibilityState === 'hidden') return;
    const opening = new EventSource(url);
    source = opening;
    after(SILENCE_MS);
    opening.addEventListener('open', () => {
      alive();
      listener.opened();
    });
    // CLOSED: refused or cut for good. Otherwise the browser is already trying by itself, under the watchdog's eye.
    opening.addEventListener('error', () => {
      if (opening.readyState !== EventSource.CLOSED || opening !== source) return;
      if (failures === 0) listener.refused?.();
      openLater(1);
    });
    for (const name of NAMES) opening.addEventListener(name, receive);
  }
  const unfollow = followVisibility(open, close);
  open();
  return () => {
    unfollow();
    close();
  };
}

/** Calls `shown` whenever the page is seen again, `hidden` when it no longer is. @returns the function that stops it */
function followVisibility(shown: () => void, hidden: () => void): () => void {
  const over = new AbortController();
  const onChange = () => (document.visibilityState === 'hidden' ? hidden() : shown());
  document.addEventListener('visibilitychange', onChange, over);
  window.addEventListener('pageshow', (event) => event.persisted && shown(), over);
  return () => over.abort();
}

/** Milliseconds to wait after that many failures in a row. */
function retryDelay(failures: number): number {
  const first = SOONEST_MS + Math.random() * (LATEST_MS - SOONEST_MS);
  return retryDelayMs(failures, { first, longest: LONGEST_MS });
}

function parsed<Message>(event: MessageEvent): Message | undefined {
  try {
    const message: Message = JSON.parse(event.data);
    return message;
  } catch {
    return undefined;
  }
}
