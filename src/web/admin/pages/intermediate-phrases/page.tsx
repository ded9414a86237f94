import { intermediatePhrasesTexts } from '../../../../texts/admin/phrases.ts';
import { PhraseListsPage } from '../../components/phrase-list/phrase-lists-page.tsx';

const LISTS = ['frasi_tra_viaggi'] as const;

/** After the first trip's questions, before the second trip (spec 2). */
export function Page() {
  return (
    <PhraseListsPage
      path="/admin/intermediate-phrases"
      name="frasi-tra-viaggi"
      lists={LISTS}
      sentences={intermediatePhrasesTexts}
    />
  );
}
