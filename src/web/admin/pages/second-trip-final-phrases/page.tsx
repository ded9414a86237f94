import { secondTripFinalPhrasesTexts } from '../../../../texts/admin/phrases.ts';
import { PhraseBoxesPage } from '../../kit/phrase-list/phrase-boxes-page.tsx';

/** The last words, after the second trip and before returning home (spec 2). */
export function Page() {
  return (
    <PhraseBoxesPage
      path="/admin/second-trip-final-phrases"
      field="frasi_finali_secondo_viaggio"
      texts={secondTripFinalPhrasesTexts}
    />
  );
}
