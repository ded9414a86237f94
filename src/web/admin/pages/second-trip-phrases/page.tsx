import { secondTripPhrasesTexts } from '../../../../texts/admin/phrases.ts';
import { PhraseListsPage } from '../../components/phrase-list/phrase-lists-page.tsx';

const LISTS = ['frasi_secondo_viaggio'] as const;

/** The phrases the second trip begins with (spec 2). */
export function Page() {
  return (
    <PhraseListsPage
      path="/admin/second-trip-phrases"
      name="frasi-secondo-viaggio"
      lists={LISTS}
      sentences={secondTripPhrasesTexts}
    />
  );
}
