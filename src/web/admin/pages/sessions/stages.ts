import type { SessionRecord } from '../../../../contract/admin/logs.ts';
import { sessionsTexts, stageLabels } from '../../../../texts/admin/sessions.ts';

type Stops = SessionRecord['stages'];
export type StageStop = Stops[number];
export type StopState = keyof typeof sessionsTexts.states;

/** Returns the state of a stop relative to the visitor's position. */
export function stopState(index: number, step: number): StopState {
  if (index === step) return 'present';
  return index < step ? 'done' : 'ahead';
}

/** Returns `Destinazione`, or `Destinazione, secondo viaggio`. The stage between the trips belongs to neither. */
export function stopLabel({ stage, viaggio }: StageStop): string {
  return viaggio === 2 && stage !== 'between_phrases'
    ? `${stageLabels[stage]}, ${sessionsTexts.second}`
    : stageLabels[stage];
}

/** Returns the furthest position of a visit as text: `Video · al minuto 1:24`. */
export function pointReached({ stages, position }: Pick<SessionRecord, 'stages' | 'position'>): string {
  const stop = stages[position.step];
  if (stop === undefined) return sessionsTexts.unknownPosition;
  return [stopLabel(stop), detail(stop, position)].filter(Boolean).join(' · ');
}

function detail(
  { stage, frasi }: StageStop,
  { phrase, second }: SessionRecord['position'],
): string | undefined {
  if (frasi !== null && frasi > 0) return sessionsTexts.phrase(Math.min(phrase + 1, frasi), frasi);
  return stage === 'video' && second > 0 ? sessionsTexts.minute(minutes(second)) : undefined;
}

/** Formats seconds as `1:24`. */
function minutes(seconds: number): string {
  const rounded = Math.floor(seconds);
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, '0')}`;
}
