import type { StepName, StepState } from '../../domain/checklist.ts';
import type { Viaggio } from '../../domain/content.ts';
import { stageName } from './preview.ts';

type Whose = { name: StepName; viaggio: Viaggio };

/** First lines of the dashboard, and the checklist. `name`: the recipient's name or null. */
export const checklistTexts = {
  begin: (name: string | null) =>
    name === null ? 'Prepariamo la serata.' : `Prepariamo la serata di ${name}.`,
  going: (name: string | null) =>
    name === null ? 'La serata prende forma.' : `La serata di ${name} prende forma.`,
  ready: (name: string | null) => (name === null ? 'Tutto pronto.' : `Tutto pronto per ${name}.`),
  /** Every step is done, but there are reasons against the evening. */
  nearly: (name: string | null) => (name === null ? 'Quasi pronta.' : `La serata di ${name} è quasi pronta.`),
  left: (days: number) => {
    if (days === 0) return 'È oggi.';
    return days === 1 ? 'Manca 1 giorno.' : `Mancano ${days} giorni.`;
  },
  strip: 'La serata, un passo alla volta',
  step: (place: number, total: number) => `Passo ${place} di ${total}`,
  /** Short form for narrow screens. */
  stepShort: (place: number, total: number) => `${place} di ${total}`,
  onward: 'Avanti',
  onwardTo: (scene: Whose) => `Avanti: ${checklistStepName(scene)}`,
  home: 'Al pannello',
  states: { done: 'fatto', missing: 'da sistemare', working: 'in lavorazione' } satisfies Record<
    StepState,
    string
  >,
  optional: 'se vuoi',
  mend: 'Guarda che cosa serve',
  handOver: 'Consegna il codice',
  live: 'Quello che vede adesso',
} as const;

/** Returns the name of a checklist step. */
export function checklistStepName({ name, viaggio }: Whose): string {
  switch (name) {
    case 'evening':
      return 'Per chi è';
    case 'song':
      return 'Canzone';
    case 'online':
      return 'In rete';
    case 'rehearsal':
      return 'Prova generale';
    case 'code':
      return 'Codice';
    default:
      return stageName({ stage: name, viaggio });
  }
}

/** Returns the state of a step in words, the same wherever the step is shown. */
export function checklistStepStatus({ state, needed }: { state: StepState; needed: boolean }): string {
  return state === 'missing' && !needed ? checklistTexts.optional : checklistTexts.states[state];
}

/** Returns the label of the button that opens a step. */
export function checklistStepAction({ name, viaggio }: Whose): string {
  return viaggio === 2 ? secondActions[name] : actions[name];
}

const actions: Record<StepName, string> = {
  evening: 'Per chi è, quando, con che vestito',
  pre_phrases: 'Scrivi le prime parole',
  video: 'Carica il video',
  song: 'Scegli la canzone',
  phrases: 'Scrivi le frasi dopo il video',
  between_phrases: 'Scrivi le frasi tra i viaggi',
  destination: 'Mostra la destinazione',
  card: 'Aggiungi biglietti e date',
  questions: 'Scrivi le due domande',
  closing: 'Scrivi le ultime parole',
  online: 'Portala in rete',
  rehearsal: 'Fai la prova generale',
  code: 'Crea il codice',
};

const secondActions: Record<StepName, string> = {
  ...actions,
  phrases: 'Scrivi le frasi del secondo viaggio',
  destination: 'Mostra la seconda destinazione',
  card: 'Aggiungi i secondi biglietti',
  questions: 'Scrivi le altre due domande',
};
