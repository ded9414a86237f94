import { Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { workshopPageTexts } from '../../../../texts/admin/pages.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { LeaveGuard } from '../../kit/config-form/leave-guard.tsx';
import type { ConfigRecord } from '../../kit/config-form/sources.ts';
import { DraftOffer, NotSaved } from '../../kit/config-form/unsaved-notice.tsx';
import { PhonePreview } from '../../kit/phone-frame/phone-preview.tsx';
import { PhraseReel } from '../../kit/phone-frame/phrase-reel.tsx';
import { PREVIEW_DELAY_MS } from '../../kit/phone-frame/preview-delay.ts';
import { WithPreview } from '../../kit/phone-frame/with-preview.tsx';
import type { ListName } from '../../kit/phrase-list/lists.ts';
import { rewritten } from '../../kit/phrase-list/open-edits.ts';
import { SecondsInput } from '../../kit/phrase-list/seconds-input.tsx';
import { useOpenEdits } from '../../kit/phrase-list/use-open-edits.ts';
import { usePhraseLists } from '../../kit/phrase-list/use-phrase-lists.ts';
import { PageFrame } from '../../shell/page-frame.tsx';
import { SaveState } from '../../shell/save-state.tsx';
import { LISTS, ListTabs } from './list-tabs.tsx';
import { PhraseTab } from './phrase-tab.tsx';

/** So many phrases leave the phone below them within sight. */
const FEW = 2;

export function PhrasesPage({ record }: { record: ConfigRecord }) {
  const phrases = usePhraseLists(record);
  const { hash } = useLocation();
  const [open, setOpen] = useState<ListName>(LISTS.find((list) => hash === `#${list}`) ?? LISTS[0]);
  const edited = {
    frasi_pre_video: useOpenEdits('frasi:frasi_pre_video:modifiche'),
    frasi: useOpenEdits('frasi:frasi:modifiche'),
  };
  // What is being written: the phone shows that phrase.
  const [touched, setTouched] = useState<number>();
  const [shown] = useDebouncedValue(edited[open].edits, PREVIEW_DELAY_MS);
  const { lists, failure, saving, draft } = phrases;
  const rewriting = LISTS.some((list) => edited[list].written);
  const unsaved = phrases.unsaved || rewriting;
  const discard = () => {
    draft.discard();
    for (const list of LISTS) edited[list].forget();
  };
  return (
    <PageFrame
      {...workshopPageTexts['/admin/frasi']}
      saveState={<SaveState state={saving ? 'saving' : unsaved ? 'unsaved' : 'saved'} />}
    >
      <WithPreview
        long={lists[open].length > FEW}
        preview={
          <PhonePreview key={open} label={texts.previews[open]}>
            <PhraseReel
              phrases={rewritten(lists[open], shown)}
              seconds={lists.durata_frase_secondi}
              at={touched}
            />
          </PhonePreview>
        }
      >
        <Stack>
          <LeaveGuard when={unsaved} saving={saving && !rewriting} onLeave={discard} />
          {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
          {failure !== null && <NotSaved sentence={failure} onRetry={phrases.retry} />}
          <SecondsInput seconds={lists.durata_frase_secondi} onChange={phrases.setSeconds} />
          <ListTabs
            open={open}
            onOpen={(list) => {
              setOpen(list);
              setTouched(undefined);
            }}
            counts={{ frasi_pre_video: lists.frasi_pre_video.length, frasi: lists.frasi.length }}
            renderList={(list) => (
              <PhraseTab list={list} phrases={phrases} edited={edited[list]} onTouched={setTouched} />
            )}
          />
        </Stack>
      </WithPreview>
    </PageFrame>
  );
}
