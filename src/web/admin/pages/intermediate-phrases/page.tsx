import { intermediatePhrasesTexts } from '../../../../texts/admin/phrases.ts';
import { PhraseBoxesPage } from '../../kit/phrase-list/phrase-boxes-page.tsx';

/** After the first trip's questions, before the second trip (spec 2). */
export function Page() {
  return (
    <PhraseBoxesPage
      path="/admin/intermediate-phrases"
      field="frasi_tra_viaggi"
      texts={intermediatePhrasesTexts}
    />
  );
}
