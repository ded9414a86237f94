import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { PhraseListsPage } from '../../components/phrase-list/phrase-lists-page.tsx';

const LISTS = ['frasi_pre_video', 'frasi'] as const;

/** The phrases before and after the video (spec 2 «Phrases page»). */
export function Page() {
  return <PhraseListsPage path="/admin/frasi" name="frasi" lists={LISTS} setsSeconds sentences={texts} />;
}
