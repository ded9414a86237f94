import type { Disconnection, Visit } from '../contract/visit.ts';
import type { RefusalCode } from './ports.ts';

/** Events that the page, the media and the network send to the visit chart. */
export type VisitEvent =
  | PageEvent
  | VideoEvent
  | VisitorEvent
  | NetworkEvent
  | PhraseEvent
  | CallEvent
  | RehearsalEvent;

/** Events handled only in a rehearsal; visitors cannot change the speed. */
export type RehearsalEvent =
  /** Skips to the next stage. Questions cannot be skipped, because the stages after them depend on the answers. */
  | { type: 'SKIP' }
  | { type: 'NEXT_PHRASE' }
  /** Multiplies the times of the flow, from the next timer on. */
  | { type: 'PACE'; pace: number };

/**
 * Events of the phrase machine: a phrase starts (again, if it started unseen); the last phrase ended and the pause
 * starts.
 */
export type PhraseEvent = { type: 'PHRASE_BEGAN'; index: number } | { type: 'PHRASE_ENDED' };

/** Results of the chart's own calls, in addition to the network's events. */
export type CallEvent =
  | { type: 'LOADED'; visit: Visit }
  | { type: 'COMPLETED' }
  | { type: 'TRY_FAILED'; code: RefusalCode };

/** Visibility is `document.visibilityState`; fonts are `document.fonts.ready`. */
export type PageEvent = { type: 'HIDDEN' } | { type: 'SHOWN' } | { type: 'FONTS_READY' };

export type VideoEvent =
  /** Position of the video in its own seconds. May come at any rate; the chart reports one every 5 s or so. */
  | { type: 'VIDEO_SECOND'; second: number }
  | { type: 'VIDEO_ENDED' }
  /** Sent only after the recovery and «Riprova» have failed. */
  | { type: 'VIDEO_FAILED' };

export type VisitorEvent =
  /** Tap on the ticket download. Further taps change nothing. */
  | { type: 'DOWNLOAD' }
  /** Result of the download, as soon as it is known. */
  | { type: 'DOWNLOAD_STARTED' }
  | { type: 'DOWNLOAD_FAILED' }
  /** The visitor opened the tickets in the page; timers stop until they are closed. */
  | { type: 'VIEW' }
  | { type: 'VIEW_CLOSED' }
  /** The visitor opened the phone's share sheet with the tickets. */
  | { type: 'SHARE' }
  /** «Continua» on the card. */
  | { type: 'CONTINUE' }
  /** The first answer to a question counts; later ones are ignored. */
  | { type: 'ANSWER'; question: 1 | 2; value: boolean }
  /** Retries at once a waiting call: loading, or sending the answers. */
  | { type: 'RETRY' };

export type NetworkEvent =
  /** A newer state of the visit: the reply to a position, to the answers, or to a resume on return to the page. */
  | { type: 'CONTENT'; visit: Visit }
  /** The visit cannot continue (reply to a position; heartbeat verdict `ended` → VISIT_ENDED). */
  | { type: 'LOAD_FAILED'; code: RefusalCode }
  /** From the live channel, a heartbeat's verdict or a refusal. */
  | ({ type: 'DISCONNECTED' } & Disconnection)
  /** The server refused a position: the chart resumes from the server's one. */
  | { type: 'RESYNC' };
