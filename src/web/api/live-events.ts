import type { AdminLiveMessage } from '../../contract/admin/dashboard.ts';
import type { LiveMessage } from '../../contract/visit.ts';
import { retryDelayMs } from '../ui/waiting.ts';

/** Message types by channel address. */
type Messages = { '/api/visit/events': LiveMessage; '/api/admin/events': AdminLiveMessage };

export type LiveListener<Message> = {
  message(message: Message): void;
  /** The stream was opened or reopened. Messages may have been missed: read the state again (heartbeat). */
  opened(): void;
  /** The first failure in a row was a refusal: the client may no longer be admitted. */
  refused?(): void;
};

/** Silence in ms after which a stream counts as dead. Phones report dead streams as open; the server pings every 15 s. */
const SILENCE_MS = 40_000;
/** First wait before reopening after a refusal or a failure, in ms: random between these two, then doubled each time. */
const SOONEST_MS = 500;
const LATEST_MS = 5_000;
const LONGEST_MS = 30_000;
const NAMES = ['ping', 'disconnected', 'changed', 'resync', 'bye'] as const;

/**
 * Opens the event stream of the visitor or of the administrator. Keeps one stream, only while the page is visible. Opens a new one
 * whenever the page is shown again, because the old one may be dead without an error.
 * @returns the function that closes it permanently
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
    // A goodbye is not a failure: a refusal after it counts as the first.
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
    // CLOSED means refused or ended permanently. In other states the browser retries, supervised by the silence timer.
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

/**
 * Calls `shown` whenever the page becomes visible and `hidden` when it becomes hidden.
 * @returns the function that stops it
 */
function followVisibility(shown: () => void, hidden: () => void): () => void {
  const stop = new AbortController();
  const onChange = () => (document.visibilityState === 'hidden' ? hidden() : shown());
  document.addEventListener('visibilitychange', onChange, stop);
  window.addEventListener('pageshow', (event) => event.persisted && shown(), stop);
  return () => stop.abort();
}

/** Returns the wait in ms after that many failures in a row. */
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
