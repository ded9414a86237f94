import type { Visit } from '../contract/visit.ts';
import type { Position, StageContent } from '../domain/stage-content.ts';

/**
 * Merges two states of one visit, in any order of arrival, without losing known content. A reply sent before a newer
 * one may arrive after it, with fewer stages or answers.
 */
export function mergeVisit(known: Visit | null, arrived: Visit): Visit {
  if (known === null || known.session_id !== arrived.session_id) return arrived;
  const answered = new Set(arrived.answers.map(({ viaggio }) => viaggio));
  return {
    ...arrived,
    position: further(known.position, arrived.position),
    stages: mergeStages(known.stages, arrived.stages),
    complete: known.complete || arrived.complete,
    answers: [...arrived.answers, ...known.answers.filter(({ viaggio }) => !answered.has(viaggio))],
    canzone_url: arrived.canzone_url ?? known.canzone_url,
  };
}

/** Merges stages. The first trip's closing changes once, when its answers are stored; all others never change. */
function mergeStages(known: StageContent[], arrived: StageContent[]): StageContent[] {
  const length = Math.max(known.length, arrived.length);
  return Array.from({ length }, (_, step) => newer(known[step], arrived[step])).filter(
    (stage) => stage !== undefined,
  );
}

function newer(known: StageContent | undefined, arrived: StageContent | undefined): StageContent | undefined {
  return arrived === undefined || isAnsweredClosing(known) ? known : arrived;
}

function isAnsweredClosing(stage: StageContent | undefined): boolean {
  return stage?.stage === 'closing' && stage.viaggio === 1 && stage.answered;
}

function further(a: Position, b: Position): Position {
  return comparePositions(a, b) > 0 ? a : b;
}

/** Compares positions for `sort`: negative if `a` comes first. */
export function comparePositions(a: Position, b: Position): number {
  return a.step - b.step || a.phrase - b.phrase || a.second - b.second;
}
