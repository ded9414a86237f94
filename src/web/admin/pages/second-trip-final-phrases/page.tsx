import { secondTripFinalPhrasesTexts } from '../../../../texts/admin/phrases.ts';
import { PhraseListsPage } from '../../components/phrase-list/phrase-lists-page.tsx';

const LISTS = ['frasi_finali_secondo_viaggio'] as const;

/** The last words, after the second trip and before returning home (spec 2). */
export function Page() {
  return (
    <PhraseListsPage
      path="/admin/second-trip-final-phrases"
      name="frasi-finali-secondo-viaggio"
      lists={LISTS}
      sentences={secondTripFinalPhrasesTexts}
    />
  );
}
