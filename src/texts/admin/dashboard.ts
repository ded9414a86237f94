import type { Step } from '../../domain/itinerary.ts';
import type { summarizeAnswers } from '../../domain/phase.ts';

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
