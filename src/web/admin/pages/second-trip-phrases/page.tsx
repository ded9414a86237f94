import { secondTripPhrasesTexts } from '../../../../texts/admin/phrases.ts';
import { PhraseBoxesPage } from '../../kit/phrase-list/phrase-boxes-page.tsx';

/** The phrases the second trip begins with (spec 2). */
export function Page() {
  return (
    <PhraseBoxesPage
      path="/admin/second-trip-phrases"
      field="frasi_secondo_viaggio"
      texts={secondTripPhrasesTexts}
    />
  );
}
