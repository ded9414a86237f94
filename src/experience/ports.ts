import type { ErrorCode } from '../contract/errors.ts';
import type { Disconnection, Visit } from '../contract/visit.ts';
import type { Viaggio } from '../domain/content.ts';
import type { ExitPoint } from '../domain/itinerary.ts';
import type { Answers, Position } from '../domain/stage-content.ts';

/** A server refusal, or NETWORK if the server did not reply (no network, timeout, a proxy's page). */
export type RefusalCode = ErrorCode | 'NETWORK';

/** Result of a call. A rejected promise counts as INTERNAL. `disconnection` belongs to DISCONNECTED, if known. */
export type CallResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: RefusalCode; disconnection?: Disconnection | null };

export type TripAnswers = Answers & { viaggio: Viaggio };

/** Answers chosen so far; an answer is present once it is locked. */
export type ChosenAnswers = Partial<Answers>;

/** Short notices of the page (toasts); the sentences are in `texts/`. */
export type Notice =
  /** The first attempt to send the answers failed; retries are automatic. */
  | { kind: 'answers_failed' }
  /**
   * The evening ends without a closing phrase. `bothYes` of the last answered trip, null if no questions were shown.
   */
  | { kind: 'completed'; bothYes: boolean | null }
  | { kind: 'download_started' }
  | { kind: 'download_failed' }
  /** Shown for FORCED_DISCONNECT.noticeMs; the page leaves earlier. */
  | ({ kind: 'disconnected' } & Disconnection)
  /** The visit cannot be shown; the page goes back to `/`. */
  | { kind: 'failed'; code: ChartFailure };

/** Reason why the chart failed. LOADING: the server replies, but without a visit. */
export type ChartFailure = 'CONFIG_MISSING' | 'VIDEO_MISSING' | 'VIDEO_FAILED' | 'LOADING';

/** Kinds of the contract's `reportError` that the chart and its screens report. */
export type ReportedError = 'video' | 'video_start' | 'loading';

/** The song. The chart calls `start` only while it is silent, and never during the video. */
export type SongPort = {
  /** Loops from the beginning, at full volume. During a fade (second trip), starts after its end. */
  start(song: { url: string; viaggio: Viaggio }): void;
  /** Fades to silence in 5 % steps every 100 ms, then stops. */
  fade(): void;
  /** Silences at once. Also called when nothing plays. */
  stop(): void;
};

/** Answers stored on the device until the server has them. Synchronous; an unusable storage behaves as an empty one. */
export type AnswerStore = {
  load(session_id: string, viaggio: Viaggio): ChosenAnswers;
  save(session_id: string, viaggio: Viaggio, chosen: ChosenAnswers): void;
  clear(session_id: string, viaggio: Viaggio): void;
};

/** All side effects of the chart. Nothing here may throw; promises resolve to a CallResult. */
export type ExperiencePorts = {
  /** Monotonic milliseconds (`performance.now()`), the time base of the timers. */
  now(): number;
  /** A number in [0, 1) for the jitter of the backoffs (`Math.random`). */
  random(): number;
  /** `POST /visit/resume`. */
  resume(): Promise<CallResult<Visit>>;
  /**
   * `POST /visit/answers`, with keepalive. Sent after the positions reported before (`outbox.whenIdle()`, 3 s at most):
   * the server refuses answers to questions it does not know as reached, and they are retried.
   */
  sendAnswers(answers: TripAnswers): Promise<CallResult<Visit>>;
  /** `POST /visit/complete`, also after the positions. */
  complete(): Promise<CallResult<unknown>>;
  /** Queues a position in the outbox (outbox.ts); the server's replies arrive as events. */
  reportPosition(position: Position): void;
  /** `POST /visit/track-user-exit`, after the questions: the exit point if the visitor leaves now. Not awaited. */
  trackExit(exitPoint: ExitPoint): void;
  /** `POST /visit/error`, once and without waiting. */
  reportError(kind: ReportedError): void;
  notify(notice: Notice): void;
  answerStore: AnswerStore;
  song: SongPort;
  /** Pauses the video, leaves full screen and drops the source. Also called when it is not playing. */
  video: { stop(): void };
};
