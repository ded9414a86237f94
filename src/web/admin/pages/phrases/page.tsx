import { workshopPageTexts } from '../../../../texts/admin/pages.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { configSource } from '../../kit/config-form/sources.ts';
import { UnreadPage } from '../../kit/config-form/unread-page.tsx';
import { useRecord } from '../../kit/config-form/use-record.ts';
import { PhrasesPage } from './phrases-page.tsx';

const sentences = { saved: texts.added, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed };

/** The phrases before and after the video (spec 2 «Phrases page»). */
export function Page() {
  const { record, problem, retry } = useRecord(configSource, sentences);
  return record === undefined ? (
    <UnreadPage {...workshopPageTexts['/admin/frasi']} problem={problem} onRetry={retry} />
  ) : (
    <PhrasesPage record={record} />
  );
}
