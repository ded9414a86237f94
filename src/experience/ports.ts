import type { ErrorCode } from '../contract/errors.ts';
import type { Disconnection, Visit } from '../contract/visit.ts';
import type { Answers } from '../domain/closing.ts';
import type { Viaggio } from '../domain/content.ts';
import type { ExitPoint } from '../domain/exit-points.ts';
import type { Position } from '../domain/position.ts';

/** A refusal of the server, or NETWORK when no answer of its own arrived (no network, time out, a proxy's page). */
export type RefusalCode = ErrorCode | 'NETWORK';

/** What a call came to. A rejected promise counts as INTERNAL. `disconnection` belongs to DISCONNECTED, where it is known. */
export type CallResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: RefusalCode; disconnection?: Disconnection | null };

export type TripAnswers = Answers & { viaggio: Viaggio };

/** What has been chosen so far: an answer is there once it is locked. */
export type ChosenAnswers = Partial<Answers>;

/** Short notices of the page (toasts); the sentences are in `texts/`. */
export type Notice =
  /** The first try to send them failed; the next ones come by themselves. */
  | { kind: 'answers_failed' }
  /** The evening closes without a closing phrase. `bothYes` of the last trip that was answered, null when none was asked. */
  | { kind: 'completed'; bothYes: boolean | null }
  | { kind: 'download_started' }
  | { kind: 'download_failed' }
  /** Stays for FORCED_DISCONNECT.noticeMs; the way back comes earlier. */
  | ({ kind: 'disconnected' } & Disconnection)
  /** The visit can't be shown; the page goes back to `/`. */
  | { kind: 'failed'; code: ChartFailure };

/** Why the chart gave up. LOADING: the server answers, but not with a visit. */
export type ChartFailure = 'CONFIG_MISSING' | 'VIDEO_MISSING' | 'VIDEO_FAILED' | 'LOADING';

/** The kinds of the contract's `reportError` that the chart and its screens report. */
export type ReportedError = 'video' | 'video_start' | 'loading';

/** The song. The chart calls `start` only when it is silent, and never while the video is on. */
export type SongPort = {
  /** Loop from the beginning, at full volume. When a fade is still under way (second trip) it begins after its end. */
  start(song: { url: string; viaggio: Viaggio }): void;
  /** 5 % steps every 100 ms to silence, then stop. */
  fade(): void;
  /** Silence at once. Also called when nothing plays. */
  stop(): void;
};

/** Answers kept on the device until the server has them. Synchronous; an unusable storage behaves as an empty one. */
export type AnswerStore = {
  load(session_id: string, viaggio: Viaggio): ChosenAnswers;
  save(session_id: string, viaggio: Viaggio, chosen: ChosenAnswers): void;
  clear(session_id: string, viaggio: Viaggio): void;
};

/** Everything the chart does to the world. Nothing here may throw; promises resolve to an Outcome. */
export type ExperiencePorts = {
  /** Monotonic milliseconds (`performance.now()`), the same time the timers follow. */
  now(): number;
  /** A number in [0, 1) for the jitter of the backoffs (`Math.random`). */
  random(): number;
  /** `POST /visit/resume`. */
  resume(): Promise<CallResult<Visit>>;
  /**
   * `POST /visit/answers`, with keepalive. The positions reported before go first (`outbox.settled()`, waited for 3 s at most):
   * answers to questions that the server doesn't know as reached are refused, and tried again.
   */
  sendAnswers(answers: TripAnswers): Promise<CallResult<Visit>>;
  /** `POST /visit/complete`, likewise after the positions. */
  complete(): Promise<CallResult<unknown>>;
  /** Puts a position into the outbox (outbox.ts); the server's answers come back as events. */
  reportPosition(position: Position): void;
  /** `POST /visit/track-user-exit`, after the questions: where she would be said to have left. Nobody waits for it. */
  trackExit(exitPoint: ExitPoint): void;
  /** `POST /visit/error`, once and without waiting. */
  reportError(kind: ReportedError): void;
  notify(notice: Notice): void;
  answerStore: AnswerStore;
  song: SongPort;
  /** Pause the video, leave full screen, forget the source. Also called when it isn't on. */
  video: { stop(): void };
};
