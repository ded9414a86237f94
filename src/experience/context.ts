import type { Disconnection, Visit } from '../contract/visit.ts';
import { displaySeconds, gapBefore, readingSeconds, type Viaggio } from '../domain/content.ts';
import {
  CLOSING_PHRASE_MS,
  DESTINATION_TITLE_MS,
  LAST_PHRASE_PAUSE_MS,
  SECOND_TRIP_END_MS,
} from '../domain/limits.ts';
import type { Position, StageContent } from '../domain/stage-content.ts';
import type { PhraseInput } from './phrase-machine.ts';
import type { ChartFailure, ChosenAnswers, ExperiencePorts } from './ports.ts';
import type { VisibleTimerInput } from './visible-timer.ts';

/** `rehearsal`: stages may be skipped and all times of the flow are multiplied by its `speed` (1 is real time). */
export type VisitInput = {
  ports: ExperiencePorts;
  hidden: boolean;
  fontsReady: boolean;
  rehearsal?: Rehearsal;
};

export type Rehearsal = { speed: number };

export type VisitContext = {
  ports: ExperiencePorts;
  visit: Visit | null;
  /** Index of the current stage in `visit.stages`. */
  step: number;
  /** Position inside the stage to start from: the saved one in a resumed stage, else the beginning. */
  from: { phrase: number; second: number };
  reported: Position | null;
  /** The phrase on screen. `run` grows with each start, so a view can restart; `resting` during the pause after it. */
  phrase: { index: number; run: number; resting: boolean } | null;
  /** Locked answers to the current questions. */
  chosen: ChosenAnswers;
  /** The question on screen. */
  asked: 1 | 2;
  songOn: boolean;
  /** null for every visitor. */
  rehearsal: Rehearsal | null;
  hidden: boolean;
  /** The tickets cover the stage. */
  looking: boolean;
  /** Step at which the tickets were last viewed or shared. */
  lookedAt: number | null;
  fontsReady: boolean;
  /** Step whose answers this page last confirmed. */
  thankedAt: number | null;
  /** Consecutive failures of the running call, and the number of them that the server itself refused. */
  failures: number;
  refusals: number;
  disconnection: Disconnection | null;
  failure: ChartFailure | null;
};

export function firstContext({ ports, hidden, fontsReady, rehearsal }: VisitInput): VisitContext {
  return {
    ports,
    visit: null,
    step: 0,
    from: { phrase: 0, second: 0 },
    reported: null,
    phrase: null,
    chosen: {},
    asked: 1,
    songOn: false,
    rehearsal: rehearsal ?? null,
    hidden,
    looking: false,
    lookedAt: null,
    fontsReady,
    thankedAt: null,
    failures: 0,
    refusals: 0,
    disconnection: null,
    failure: null,
  };
}

export function stageNow({ visit, step }: Pick<VisitContext, 'visit' | 'step'>): StageContent | undefined {
  return visit?.stages[step];
}

export function answeredTrips({ visit }: Pick<VisitContext, 'visit'>): ReadonlySet<Viaggio> {
  return new Set(visit?.answers.map(({ viaggio }) => viaggio));
}

/** Returns true if both answers of the trip are yes; null if the server has none. */
export function bothYes(
  { visit }: Pick<VisitContext, 'visit'>,
  viaggio: Viaggio | undefined,
): boolean | null {
  const tripAnswers = visit?.answers.find((answers) => answers.viaggio === viaggio);
  return tripAnswers === undefined ? null : tripAnswers.risposta_1 && tripAnswers.risposta_2;
}

/**
 * Returns the phrases of a stage, the display time of each in ms, and the pause after the last. Empty for a stage
 * without phrases.
 */
export function sequenceOf(content: StageContent | undefined): {
  frasi: readonly string[];
  phraseMs: readonly number[];
  pauseMs: number;
} {
  if (content === undefined || !('frasi' in content || content.stage === 'closing'))
    return { frasi: [], phraseMs: [], pauseMs: 0 };
  if (!('frasi' in content)) {
    const frasi = content.frase === null ? [] : [content.frase];
    return {
      frasi,
      phraseMs: frasi.map((frase) => Math.max(CLOSING_PHRASE_MS, readingSeconds(frase) * 1_000)),
      pauseMs: 0,
    };
  }
  const { frasi, durata_frase_secondi, secondi_esatti } = content;
  return {
    frasi,
    phraseMs: frasi.map((frase) => displaySeconds(frase, durata_frase_secondi, secondi_esatti) * 1_000),
    pauseMs: pauseAfter(content),
  };
}

function pauseAfter({ stage }: StageContent): number {
  if (stage === 'phrases') return LAST_PHRASE_PAUSE_MS;
  return stage === 'closing' ? SECOND_TRIP_END_MS : 0;
}

/** Returns the display time of the destination in ms; its seconds start at the finished title. 0 for other stages. */
export function pictureMs(content: StageContent | undefined): number {
  return content?.stage === 'destination'
    ? DESTINATION_TITLE_MS + content.durata_immagine_destinazione_secondi * 1_000
    : 0;
}

/** Returns true if the visitor cannot see the stage (hidden page, open tickets), so its timers stop. */
export function isTimePaused({ hidden, looking }: Pick<VisitContext, 'hidden' | 'looking'>): boolean {
  return hidden || looking;
}

/** Returns the time multiplier: 1 except in a sped-up rehearsal. */
export function speedOf({ rehearsal }: Pick<VisitContext, 'rehearsal'>): number {
  return rehearsal?.speed ?? 1;
}

/** Returns the input of a stage timer. @param ms duration at normal speed */
export function timed(context: VisitContext, ms: number): VisibleTimerInput {
  return { ms: ms * speedOf(context), hidden: isTimePaused(context), now: context.ports.now };
}

export function phraseInput(context: VisitContext): PhraseInput {
  const { frasi, phraseMs, pauseMs } = sequenceOf(stageNow(context));
  const { fontsReady, ports, from } = context;
  return {
    first: from.phrase,
    phraseMs,
    gapMs: frasi.map(gapBefore),
    pauseMs,
    speed: speedOf(context),
    fontsReady,
    hidden: isTimePaused(context),
    now: ports.now,
  };
}
