import type { Disconnection, Visit } from '../contract/visit.ts';
import type { RefusalCode } from './ports.ts';

/** What the page, the media and the network tell the visit's chart. */
export type VisitEvent =
  | PageEvent
  | VideoEvent
  | VisitorEvent
  | NetworkEvent
  | PhraseEvent
  | CallEvent
  | RehearsalEvent;

/** Heard in a rehearsal only: a visitor can't hurry. */
export type RehearsalEvent =
  /** On to the next stage. Questions can't be passed over: what follows depends on the answers. */
  | { type: 'SKIP' }
  | { type: 'NEXT_PHRASE' }
  /** The times of the flow are multiplied by this from the next one on. */
  | { type: 'PACE'; pace: number };

/** From the phrase machine: a phrase begins (again, when nobody saw it); the last one's time is over and the pause begins. */
export type PhraseEvent = { type: 'PHRASE_BEGAN'; index: number } | { type: 'PHRASE_ENDED' };

/** What the chart's own calls came to, besides the network's events. */
export type CallEvent =
  | { type: 'LOADED'; visit: Visit }
  | { type: 'COMPLETED' }
  | { type: 'TRY_FAILED'; code: RefusalCode };

/** Visibility is `document.visibilityState`; fonts are `document.fonts.ready`. */
export type PageEvent = { type: 'HIDDEN' } | { type: 'SHOWN' } | { type: 'FONTS_READY' };

export type VideoEvent =
  /** The place of the video, in its own seconds; may come as often as it likes, the chart reports each ~5 s. */
  | { type: 'VIDEO_SECOND'; second: number }
  | { type: 'VIDEO_ENDED' }
  /** Only after the recovery ladder and «Riprova» have failed. */
  | { type: 'VIDEO_FAILED' };

export type VisitorEvent =
  /** Tap on the ticket download. Further taps change nothing. */
  | { type: 'DOWNLOAD' }
  /** What the tap came to, as soon as that is known. */
  | { type: 'DOWNLOAD_STARTED' }
  | { type: 'DOWNLOAD_FAILED' }
  /** The tickets are looked at in the page: nothing moves until they are closed again. */
  | { type: 'VIEW' }
  | { type: 'VIEW_CLOSED' }
  /** The phone's share sheet was opened with the tickets. */
  | { type: 'SHARE' }
  /** «Continua» on the card. */
  | { type: 'CONTINUE' }
  /** The first answer to a question stands, later ones are ignored. */
  | { type: 'ANSWER'; question: 1 | 2; value: boolean }
  /** Try now what is waiting for its next try: loading, or sending the answers. */
  | { type: 'RETRY' };

export type NetworkEvent =
  /** A newer state of the visit: the answer to a position, to the answers, to a resume on return to the page. */
  | { type: 'CONTENT'; visit: Visit }
  /** The visit can't go on for that reason (answer to a position, heartbeat verdict `ended` → VISIT_ENDED). */
  | { type: 'LOAD_FAILED'; code: RefusalCode }
  /** From the live channel, a heartbeat's verdict or a refusal. */
  | ({ type: 'DISCONNECTED' } & Disconnection)
  /** The server refused a position: take its own from `resume` and go on from there. */
  | { type: 'RESYNC' };
