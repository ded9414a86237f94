import type { Disconnection, Visit } from '../contract/visit.ts';
import { displaySeconds, gapBefore, readingSeconds, type Viaggio } from '../domain/content.ts';
import { CLOSING_PHRASE_MS, LAST_PHRASE_PAUSE_MS, SECOND_TRIP_END_MS, TITLE_MS } from '../domain/limits.ts';
import type { Position } from '../domain/position.ts';
import type { StageContent } from '../domain/stage-content.ts';
import type { PhraseInput } from './phrase-machine.ts';
import type { ChartFailure, ChosenAnswers, ExperiencePorts } from './ports.ts';
import type { VisibleTimerInput } from './visible-timer.ts';

/** `rehearsal` is given where stages may be passed over and the times of the flow, the real ones at 1, are multiplied by `pace`. */
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
  /** The stage now on: an index into `visit.stages`. */
  step: number;
  /** Where inside the stage to begin: the saved place in the stage taken up again, else the beginning. */
  from: { phrase: number; second: number };
  reported: Position | null;
  /** The phrase on show. `run` grows with each beginning, so that a view can begin anew; `resting` in the pause after the last. */
  phrase: { index: number; run: number; resting: boolean } | null;
  /** The answers locked in the questions on show. */
  chosen: ChosenAnswers;
  /** The question on show. */
  asked: 1 | 2;
  songOn: boolean;
  /** Null for every visitor. */
  rehearsal: Rehearsal | null;
  hidden: boolean;
  /** The tickets are open over the stage. */
  looking: boolean;
  /** The step at which the tickets were looked at or shared last. */
  lookedAt: number | null;
  fontsReady: boolean;
  /** The step whose answers this page has acknowledged last. */
  thankedAt: number | null;
  /** Tries of the running call that have failed in a row, and those of them that the server itself refused. */
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

/** Whether the answers of the stage's trip are both yes; null when the server has none. */
export function bothYes(
  { visit }: Pick<VisitContext, 'visit'>,
  viaggio: Viaggio | undefined,
): boolean | null {
  const given = visit?.answers.find((answers) => answers.viaggio === viaggio);
  return given === undefined ? null : given.risposta_1 && given.risposta_2;
}

/** The phrases of a stage, the milliseconds each of them stays, and those after the last; none for a stage that has no phrases. */
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

/** How long the destination stays, in milliseconds: its seconds count from the finished title. 0 for any other stage. */
export function pictureMs(content: StageContent | undefined): number {
  return content?.stage === 'destination'
    ? TITLE_MS + content.durata_immagine_destinazione_secondi * 1_000
    : 0;
}

/** Nobody sees the stage: its time stands still (decisions 16 and 30). */
export function isTimePaused({ hidden, looking }: Pick<VisitContext, 'hidden' | 'looking'>): boolean {
  return hidden || looking;
}

/** What is multiplied with every time of the flow: 1 but in a rehearsal that hurries. */
export function speedOf({ rehearsal }: Pick<VisitContext, 'rehearsal'>): number {
  return rehearsal?.speed ?? 1;
}

/** What a timed stage's clock is given. @param ms at the real pace */
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
