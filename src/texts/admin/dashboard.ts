import type { StepName, StepState } from '../../domain/checklist.ts';
import type { Viaggio } from '../../domain/content.ts';
import type { summarizeAnswers } from '../../domain/evening.ts';
import type { Step } from '../../domain/itinerary.ts';
import { stageName } from './preview.ts';

const number = new Intl.NumberFormat('it-IT');

/** The dashboard (spec 2 «Dashboard»). */
export const dashboardTexts = {
  title: 'Pannello',
  loadFailed: 'Errore nel caricamento',
  stats: {
    token_totali: 'Token Totali',
    token_attivi: 'Token Attivi',
    accessi_totali: 'Accessi Totali',
  },
  count: (value: number) => number.format(value),

  pages: 'Tutte le pagine',
} as const;

/** The dashboard during a visit and after it. `name`: name of the code. */
export const eveningTexts = {
  /** Used after the code was deleted, when only its value is known. */
  codeOf: (token_value: string) => `Chi ha il codice ${token_value}`,
  isAt: (name: string, step: Step | undefined) => `${name} è ${placeOf(step)}`,
  /** @param when text such as «12 minuti fa» */
  began: (when: string) => `Ha cominciato ${when}.`,
  hidden: 'In questo momento lo schermo è spento, o davanti c’è un’altra app.',
  rests: (name: string, step: Step | undefined) => `${name} ha messo in pausa: era ${placeOf(step)}`,
  /** @param when text such as «tra 2 ore» */
  until: (when: string) =>
    `Con lo stesso telefono può riprendere da lì senza usare altri accessi. La visita si chiude ${when}.`,
  follow: 'Segui la visita',
  over: {
    yes: 'Ha detto sì',
    no: 'Ha risposto',
    mixed: 'Ha risposto',
    none: 'Ha visto tutto',
  } satisfies Record<NonNullable<ReturnType<typeof summarizeAnswers>> | 'none', string>,
  who: (name: string, moment: string) => `${name}, ${moment}`,
  answers: 'Le risposte',
  allAnswers: 'Tutte le risposte',
  again: 'Se vuoi rifarla, crea un codice nuovo: qui torna l’elenco di quello che serve.',
  codes: 'Codici di accesso',
} as const;

/** Returns the visitor's position, to follow «è» or «era»: `al video`, `ai biglietti del secondo viaggio`. */
function placeOf(step: Step | undefined): string {
  if (step === undefined) return 'nella sorpresa';
  const second = step.viaggio === 2 && step.stage !== 'between_phrases' && step.stage !== 'closing';
  return second ? `${places[step.stage]} del secondo viaggio` : places[step.stage];
}

const places: Record<Step['stage'], string> = {
  pre_phrases: 'alle frasi prima del video',
  video: 'al video',
  between_phrases: 'alle frasi tra i due viaggi',
  phrases: 'alle frasi',
  destination: 'alla destinazione',
  card: 'ai biglietti',
  questions: 'alle domande',
  closing: 'al finale',
};

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
