import { Badge, Stack, Tabs } from '@mantine/core';
import { useState } from 'react';
import { workshopPageTexts } from '../../../../texts/admin/pages.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { LeaveGuard } from '../../kit/config-form/leave-guard.tsx';
import type { ConfigRecord } from '../../kit/config-form/sources.ts';
import { DraftOffer, NotSaved } from '../../kit/config-form/unsaved-notice.tsx';
import { PhonePreview } from '../../kit/phone-frame/phone-preview.tsx';
import { PhraseReel } from '../../kit/phone-frame/phrase-reel.tsx';
import { WithPreview } from '../../kit/phone-frame/with-preview.tsx';
import type { ListName } from '../../kit/phrase-list/lists.ts';
import { SecondsInput } from '../../kit/phrase-list/seconds-input.tsx';
import { usePhraseLists } from '../../kit/phrase-list/use-phrase-lists.ts';
import { PageFrame } from '../../shell/page-frame.tsx';
import { SaveState } from '../../shell/save-state.tsx';
import { PhraseTab } from './phrase-tab.tsx';

const LISTS = ['frasi_pre_video', 'frasi'] as const;

/** What is being written: the phone shows that phrase. */
type Touched = { index: number | undefined; changed: boolean };
const NOTHING: Touched = { index: undefined, changed: false };

export function PhrasesPage({ record }: { record: ConfigRecord }) {
  const phrases = usePhraseLists(record);
  const [open, setOpen] = useState<ListName>('frasi_pre_video');
  const [touched, setTouched] = useState(NOTHING);
  const { lists, failure, saving, unsaved, draft } = phrases;
  return (
    <PageFrame
      {...workshopPageTexts['/admin/frasi']}
      saveState={<SaveState state={saving ? 'saving' : unsaved ? 'unsaved' : 'saved'} />}
    >
      <WithPreview
        preview={
          <PhonePreview key={open} label={texts.previews[open]}>
            <PhraseReel phrases={lists[open]} seconds={lists.durata_frase_secondi} at={touched.index} />
          </PhonePreview>
        }
      >
        <Stack>
          <LeaveGuard when={unsaved || touched.changed} onLeave={draft.discard} />
          {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
          {failure !== null && <NotSaved sentence={failure} onRetry={phrases.retry} />}
          <SecondsInput seconds={lists.durata_frase_secondi} onChange={phrases.setSeconds} />
          <Tabs
            value={open}
            keepMounted={false}
            styles={{ tab: { paddingInline: '0.5rem' } }}
            onChange={(tab) => {
              setOpen(LISTS.find((list) => list === tab) ?? open);
              setTouched(NOTHING);
            }}
          >
            <Tabs.List grow>
              {LISTS.map((list) => (
                <Tabs.Tab key={list} value={list} rightSection={<Badge circle>{lists[list].length}</Badge>}>
                  {texts.tabs[list]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {LISTS.map((list) => (
              <Tabs.Panel key={list} value={list} pt="md">
                <PhraseTab
                  list={list}
                  phrases={phrases}
                  onTouched={(index, changed) => setTouched({ index, changed })}
                />
              </Tabs.Panel>
            ))}
          </Tabs>
        </Stack>
      </WithPreview>
    </PageFrame>
  );
}
