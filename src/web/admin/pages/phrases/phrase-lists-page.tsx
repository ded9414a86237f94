import { Anchor, Badge, Stack, Tabs, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { SKY_OF_STAGE, type SkyPhase } from '../../../scenes/hours.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LoadingPage } from '../../components/forms/unread-page.tsx';
import { DraftOffer, SaveError } from '../../components/forms/unsaved-notice.tsx';
import { useRecord } from '../../components/forms/use-record.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { PhraseReel } from '../../components/phone-frame/phrase-reel.tsx';
import { PREVIEW_DELAY_MS } from '../../components/phone-frame/preview-delay.ts';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { SaveBar } from '../../components/save-state.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { useRecipientName } from '../../components/use-her-name.ts';
import type { PhraseLists } from './lists.ts';
import { PhraseList } from './phrase-list.tsx';
import { SecondsInput } from './seconds-input.tsx';
import { type ListsPage, usePhraseLists } from './use-phrase-lists.ts';
import { PhrasesLeaveGuard, useUnsavedPhrases } from './waiting.tsx';

export type PhraseListsPageProps = ListsPage & { path: AdminPath };

/** A page of phrase lists, with a phone that shows the edited phrase. */
export function PhraseListsPage(page: PhraseListsPageProps) {
  const { record, problem, retry } = useRecord(configSource, page.sentences);
  if (record !== undefined) return <Lists page={page} record={record} />;
  return <LoadingPage {...adminPageTexts[page.path]} problem={problem} onRetry={retry} />;
}

function Lists({ page, record }: { page: PhraseListsPageProps; record: ConfigRecord }) {
  const phrases = usePhraseLists(record, page);
  const { lists, failure, saving, draft, unsaved } = phrases;
  const { open, setOpen } = useOpenList(page.lists);
  const waiting = useUnsavedPhrases(page, lists);
  // Index of the edited phrase, shown on the phone.
  const [touched, setTouched] = useState<number>();
  const state = saving ? 'saving' : unsaved ? 'unsaved' : 'saved';
  return (
    <PageFrame {...adminPageTexts[page.path]}>
      <PhrasesLeaveGuard phrases={phrases} waiting={waiting} />
      {page.path !== '/admin/frasi' && <UnseenNotice of="second" />}
      <WithPreview
        bar={<SaveBar state={state} saving={saving} onSave={phrases.save} />}
        preview={<Preview key={open} list={open} lists={lists} at={touched} />}
      >
        <Stack>
          {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
          {failure !== null && <SaveError sentence={failure} onRetry={phrases.flush} />}
          <OwnSeconds page={page} phrases={phrases} />
          <ListTabs
            lists={page.lists}
            open={open}
            onOpen={(list) => {
              setOpen(list);
              setTouched(undefined);
            }}
            countOf={(list) => lists[list].length}
            renderList={(list) => (
              <PhraseList
                list={list}
                phrases={phrases}
                waiting={waiting.of(list)}
                onWaiting={(text) => waiting.write(list, text)}
                pasted={waiting.pasted?.list === list ? waiting.pasted : null}
                onPasted={waiting.paste}
                allowsBlank={page.setsSeconds !== true}
                onTouched={setTouched}
              />
            )}
          />
          <SecondsElsewhere page={page} phrases={phrases} />
        </Stack>
      </WithPreview>
    </PageFrame>
  );
}

/** Returns the open list: the one in the address, else the first. */
function useOpenList(lists: readonly ListName[]) {
  const { hash, key } = useLocation();
  const named = lists.find((list) => hash === `#${list}`) ?? lists[0];
  const [{ list, at }, setChosen] = useState({ list: named, at: key });
  // A navigation opens the list in the address again.
  if (at !== key) setChosen({ list: named, at: key });
  return { open: list ?? 'frasi', setOpen: (chosen: ListName) => setChosen({ list: chosen, at: key }) };
}

/** Sky phase of each list. */
const LIST_HOURS: Record<ListName, SkyPhase> = {
  frasi_pre_video: SKY_OF_STAGE.pre_phrases,
  frasi: SKY_OF_STAGE.phrases,
  frasi_tra_viaggi: SKY_OF_STAGE.between_phrases,
  frasi_secondo_viaggio: SKY_OF_STAGE.phrases,
  frasi_finali_secondo_viaggio: SKY_OF_STAGE.closing,
};

/** The open list on the visitor's phone. */
function Preview({ list, lists, at }: { list: ListName; lists: PhraseLists; at: number | undefined }) {
  const [shown] = useDebouncedValue(lists[list], PREVIEW_DELAY_MS);
  const { personalize } = useRecipientName();
  return (
    <PhonePreview label={texts.previews[list]} hour={LIST_HOURS[list]}>
      <PhraseReel
        phrases={shown.map(personalize)}
        seconds={lists.durata_frase_secondi}
        exact={lists.frasi_secondi_esatti.includes(list)}
        at={at}
      />
    </PhonePreview>
  );
}

type SecondsProps = { page: ListsPage; phrases: ReturnType<typeof usePhraseLists> };

/** Input for the minimum duration of all phrases, on the page that sets it. */
function OwnSeconds({ page, phrases }: SecondsProps) {
  if (page.setsSeconds !== true) return null;
  return <SecondsInput seconds={phrases.lists.durata_frase_secondi} onChange={phrases.setSeconds} />;
}

/** The minimum duration, with a link to the page that sets it. */
function SecondsElsewhere({ page, phrases }: SecondsProps) {
  if (page.setsSeconds === true) return null;
  return (
    <Text size="sm" c="dimmed">
      {texts.secondsElsewhere(phrases.lists.durata_frase_secondi)}{' '}
      <Anchor component={Link} to="/admin/frasi" underline="always" inherit>
        {adminPageTexts['/admin/frasi'].title}
      </Anchor>
      .
    </Text>
  );
}

type ListTabsProps = {
  lists: readonly ListName[];
  open: ListName;
  onOpen: (list: ListName) => void;
  countOf: (list: ListName) => number;
  renderList: (list: ListName) => ReactNode;
};

/** The lists of a page as tabs; a single list has no tabs. */
function ListTabs({ lists, open, onOpen, countOf, renderList }: ListTabsProps) {
  if (lists.length === 1) return renderList(open);
  return (
    <Tabs
      value={open}
      keepMounted={false}
      styles={{
        tab: { justifyContent: 'center', minHeight: '2.75rem', paddingInline: '0.5rem' },
        tabLabel: { flex: 'none' },
      }}
      onChange={(tab) => onOpen(lists.find((list) => list === tab) ?? open)}
    >
      <Tabs.List grow>
        {lists.map((list) => (
          <Tabs.Tab
            key={list}
            value={list}
            rightSection={
              <Badge variant="light" px="0.4rem" flex="none">
                {countOf(list)}
              </Badge>
            }
          >
            {texts.lists[list]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {lists.map((list) => (
        <Tabs.Panel key={list} value={list} pt="md">
          {renderList(list)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
