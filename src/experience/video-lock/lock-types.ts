/**
 * What the locked film knows, hears and asks for. No DOM: the browser's side is in web/visitor/media/.
 *
 *   idle → starting → playing ⇄ stalled, osPaused, blocked → ended
 *                                      └→ failed («Riprova») → starting
 */
export type LockPhase =
  /** Before the start tap. */
  | 'idle'
  /** Asked to play, not moving yet. */
  | 'starting'
  | 'playing'
  /** No advance: «Un attimo…», the recovery works by itself. */
  | 'stalled'
  /** Paused because the page is hidden: plays on when it is seen again. */
  | 'osPaused'
  /** The browser wants a tap: «Tocca per continuare». */
  | 'blocked'
  /** Recovery gave up: «Riprova». */
  | 'failed'
  | 'ended';

/** The media element and its surroundings at the moment of an event. Seconds, but `now` is a monotonic clock in milliseconds. */
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
  /** The element's error, if any, is about bytes that did arrive: the network isn't to blame. */
  undecodable: boolean;
  /** End of the buffered range around the position. */
  bufferedTo: number;
  /** The full film is in the element, and a light one there is to go on with. */
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
  /** `visible` stands for visibilitychange, pageshow, focus and the system's own play button. */
  | { type: 'hidden' | 'visible' | 'online' | 'offline' }
  /** The phone's own player, entered against our will, was left. */
  | { type: 'nativeLeft' }
  | { type: 'tick' }
  | { type: 'due'; timer: TimerName };

/** What the page is told, once each: the end; a start that two attempts could not make; the spec's «Errore caricamento video». */
export type Announcement = 'ended' | 'cannotStart' | 'gaveUp';

export type Effect =
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'setRate'; rate: number }
  | { do: 'seek'; to: number }
  /** `load()` of the same source on the same element. */
  | { do: 'reload' }
  /** The light film on the same element, which asks for no tap. */
  | { do: 'lighten' }
  | { do: 'wait'; timer: TimerName; ms: number }
  | { do: 'forget'; timer: TimerName }
  | { do: 'announce'; what: Announcement };

/** A stretch of trouble, from the first sign to `RECOVERED_AFTER_S` seconds of film past it. */
export type Recovery = {
  from: number;
  tries: number;
  /** How often what arrived could not be decoded. */
  cuts: number;
  /** Milliseconds spent trying while online and visible, and when it was last counted. */
  tried: number;
  countedAt: number;
  budget: number;
  /** A new load is owed (its timer runs, or a return to the page), or is under way and nothing came yet. */
  load: 'none' | 'waiting' | 'loading';
};

export type LockState = {
  phase: LockPhase;
  rate: number;
  /** The furthest second the visitor has really seen, and when that was noted. */
  lastGood: number;
  goodAt: number;
  /** Our own seek is under way, and how many in a row did not land. */
  ourSeek: boolean;
  missed: number;
  /** Last sign of advance, and of growth of the buffer. */
  advancedAt: number;
  advancedTo: number;
  bufferedTo: number;
  grownAt: number;
  kicked: boolean;
  undoing: boolean;
  undos: readonly number[];
  /** How often it stood still while it played. */
  stalls: number;
  /** Has ever moved; how many starts were refused until then. */
  moved: boolean;
  refusals: number;
  /** The connection went away since the last reload: a stall is not worth waiting for. */
  wasOffline: boolean;
  trouble: Recovery | null;
  /** «Riprova» was pressed. */
  lastChance: boolean;
};

export type StepResult = { state: LockState; effects: Effect[] };

/** A film that has not begun. @param startAt second to begin from @param rate the saved speed */
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

/** Phases in which the film is meant to be moving. */
export function isRunning(state: Pick<LockState, 'phase'>): boolean {
  return state.phase === 'starting' || state.phase === 'playing' || state.phase === 'stalled';
}

export function withEffects(state: LockState, ...effects: Effect[]): StepResult {
  return { state, effects };
}
