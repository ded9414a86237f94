import type { FrasiFinali } from './configuration.ts';
import { textOr } from './content.ts';

export type Answers = { risposta_1: boolean; risposta_2: boolean };

/** Returns the first trip's closing phrase for these answers; null if there is none to show (spec 4 «Closing rules»). */
export function closingPhrase(frasi_finali: FrasiFinali | null, answers: Answers | null): string | null {
  if (frasi_finali === null || answers === null) return null;
  const phrase = textOr(frasi_finali[closingKind(answers)], '');
  return phrase === '' ? null : phrase;
}

function closingKind({ risposta_1, risposta_2 }: Answers): keyof FrasiFinali {
  if (risposta_1 !== risposta_2) return 'misto';
  return risposta_1 ? 'entrambi_si' : 'entrambi_no';
}
