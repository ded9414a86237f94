/**
 * State, events and effects of the locked film. No DOM: the browser's side is in web/visitor/media/.
 *
 *   idle → starting → playing ⇄ stalled, osPaused, blocked → ended
 *                                      └→ failed («Riprova») → starting
 */
export type LockPhase =
  /** Before the start tap. */
  | 'idle'
  /** Requested to play, not moving yet. */
  | 'starting'
  | 'playing'
  /** No progress: «Un attimo…», recovery runs automatically. */
  | 'stalled'
  /** Paused because the page is hidden; resumes when it is shown. */
  | 'osPaused'
  /** The browser requires a tap: «Tocca per continuare». */
  | 'blocked'
  /** Recovery failed: «Riprova». */
  | 'failed'
  | 'ended';

/** State of the media element and the page at an event. In seconds, except `now`: a monotonic clock in ms. */
export type PlayerState = {
  now: number;
  hidden: boolean;
  online: boolean;
  position: number;
  /** NaN until known. */
  duration: number;
  paused: boolean;
  ended: boolean;
  seeking: boolean;
  rate: number;
  /** The element's error, if any, concerns bytes that did arrive; the network is not the cause. */
  undecodable: boolean;
  /** End of the buffered range around the position. */
  bufferedTo: number;
  /** The element has the full film, and a light film is available. */
  lighter: boolean;
};

export type TimerName = 'undo' | 'reload' | 'native';

export type LockEvent =
  /** Taps: the start button, «Tocca per continuare», «Riprova». */
  | { type: 'start' | 'resume' | 'retry' }
  /** The media element's own events. */
  | {
      type:
        | 'loadedmetadata'
        | 'playing'
        | 'timeupdate'
        | 'pause'
        | 'seeking'
        | 'seeked'
        | 'ratechange'
        | 'error'
        | 'ended';
    }
  /** A `play()` was refused, with the DOMException's name. */
  | { type: 'refused'; name: string }
  /** `visible` covers visibilitychange, pageshow, focus and the system's own play button. */
  | { type: 'hidden' | 'visible' | 'online' | 'offline' }
  /** The visitor left the phone's own player, which had opened despite the lock. */
  | { type: 'nativeLeft' }
  | { type: 'tick' }
  | { type: 'due'; timer: TimerName };

/** Announced to the page once each: the end; a start that failed twice; the spec's «Errore caricamento video». */
export type Announcement = 'ended' | 'cannotStart' | 'gaveUp';

export type Effect =
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'setRate'; rate: number }
  | { do: 'seek'; to: number }
  /** `load()` of the same source on the same element. */
  | { do: 'reload' }
  /** The light film on the same element, so that no tap is needed. */
  | { do: 'lighten' }
  | { do: 'wait'; timer: TimerName; ms: number }
  | { do: 'forget'; timer: TimerName }
  | { do: 'announce'; what: Announcement };

/** A period of trouble, from the first sign to `RECOVERED_AFTER_S` seconds of film past it. */
export type Recovery = {
  from: number;
  attempts: number;
  /** Number of times that received bytes could not be decoded. */
  cuts: number;
  /** Time spent on recovery while online and visible, in ms, and when it was last counted. */
  spentMs: number;
  countedAt: number;
  budget: number;
  /** A new load is due (by timer or on return to the page), or it is running without data yet. */
  load: 'none' | 'waiting' | 'loading';
};

export type LockState = {
  phase: LockPhase;
  rate: number;
  /** The furthest second that the visitor has seen, and when it was noted. */
  lastGood: number;
  goodAt: number;
  /** The lock's own seek is running; `missed` counts those in a row that did not land. */
  ourSeek: boolean;
  missed: number;
  /** Last progress of the position, and last growth of the buffer. */
  advancedAt: number;
  advancedTo: number;
  bufferedTo: number;
  grownAt: number;
  kicked: boolean;
  undoing: boolean;
  undos: readonly number[];
  /** Number of stalls during playback. */
  stalls: number;
  /** The film has moved once; number of refused starts before that. */
  moved: boolean;
  refusals: number;
  /** The connection was lost since the last reload, so a stall reloads earlier. */
  wasOffline: boolean;
  trouble: Recovery | null;
  /** «Riprova» was pressed. */
  lastChance: boolean;
};

export type StepResult = { state: LockState; effects: Effect[] };

/** Returns the state of a film that has not started. @param startAt second to start from @param rate the saved speed */
export function newLock(startAt: number, rate: number): LockState {
  return {
    phase: 'idle',
    rate,
    lastGood: startAt,
    goodAt: 0,
    ourSeek: false,
    missed: 0,
    advancedAt: 0,
    advancedTo: startAt,
    bufferedTo: 0,
    grownAt: 0,
    kicked: false,
    undoing: false,
    undos: [],
    stalls: 0,
    moved: false,
    refusals: 0,
    wasOffline: false,
    trouble: null,
    lastChance: false,
  };
}

/** Returns true in the phases in which the film should be moving. */
export function isRunning(state: Pick<LockState, 'phase'>): boolean {
  return state.phase === 'starting' || state.phase === 'playing' || state.phase === 'stalled';
}

export function withEffects(state: LockState, ...effects: Effect[]): StepResult {
  return { state, effects };
}
