import { Anchor, Badge, Stack, Tabs, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { PhraseList as ListName } from '../../../../domain/content.ts';
import { type WorkshopPath, workshopPageTexts } from '../../../../texts/admin/pages.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { PageFrame } from '../../shell/page-frame.tsx';
import { SaveBar } from '../../shell/save-state.tsx';
import { keepDraft, readDraft } from '../config-form/drafts.ts';
import { LeaveGuard } from '../config-form/leave-guard.tsx';
import { type ConfigRecord, configSource } from '../config-form/sources.ts';
import { UnreadPage } from '../config-form/unread-page.tsx';
import { DraftOffer, NotSaved } from '../config-form/unsaved-notice.tsx';
import { useRecord } from '../config-form/use-record.ts';
import { PhonePreview } from '../phone-frame/phone-preview.tsx';
import { PhraseReel } from '../phone-frame/phrase-reel.tsx';
import { PREVIEW_DELAY_MS } from '../phone-frame/preview-delay.ts';
import { WithPreview } from '../phone-frame/with-preview.tsx';
import { UnseenNotice } from '../second-trip/unseen-notice.tsx';
import { PhraseList } from './phrase-list.tsx';
import { SecondsInput } from './seconds-input.tsx';
import { type ListsPage, usePhraseLists } from './use-phrase-lists.ts';

export type PhraseListsPageProps = ListsPage & { path: WorkshopPath };

/** A page of lists of phrases, beside a phone that shows the one being written. */
export function PhraseListsPage(page: PhraseListsPageProps) {
  const { record, problem, retry } = useRecord(configSource, page.sentences);
  if (record !== undefined) return <Lists page={page} record={record} />;
  return <UnreadPage {...workshopPageTexts[page.path]} problem={problem} onRetry={retry} />;
}

function Lists({ page, record }: { page: PhraseListsPageProps; record: ConfigRecord }) {
  const phrases = usePhraseLists(record, page);
  const { lists, failure, saving, draft, unsaved } = phrases;
  const { open, setOpen } = useOpenList(page.lists);
  const waiting = useWaiting(page);
  // What is being written: the phone shows that phrase.
  const [touched, setTouched] = useState<number>();
  const [shown] = useDebouncedValue(lists[open], PREVIEW_DELAY_MS);
  const state = saving ? 'saving' : unsaved ? 'unsaved' : 'saved';
  const saveAll = () => {
    for (const [list, text] of waiting.takeAll()) phrases.add(list, [text]);
    phrases.flush();
  };
  const discard = () => {
    draft.discard();
    waiting.takeAll();
  };
  return (
    <PageFrame {...workshopPageTexts[page.path]}>
      <LeaveGuard
        when={unsaved || waiting.any}
        saving={saving}
        onSave={saveAll}
        asks={failure !== null || waiting.any}
        onLeave={discard}
      />
      <WithPreview
        bar={<SaveBar state={state} saving={saving} onSave={phrases.save} />}
        preview={
          <PhonePreview key={open} label={texts.previews[open]}>
            <PhraseReel
              phrases={shown}
              seconds={lists.durata_frase_secondi}
              exact={lists.frasi_secondi_esatti.includes(open)}
              at={touched}
            />
          </PhonePreview>
        }
      >
        <Stack>
          {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
          {failure !== null && <NotSaved sentence={failure} onRetry={phrases.flush} />}
          {UNSEEN_WITHOUT_SECOND_TRIP.includes(open) && <UnseenNotice path={page.path} />}
          {page.setsSeconds === true ? (
            <SecondsInput seconds={lists.durata_frase_secondi} onChange={phrases.setSeconds} />
          ) : (
            <SecondsElsewhere seconds={lists.durata_frase_secondi} />
          )}
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
                blankToo={page.setsSeconds !== true}
                onTouched={setTouched}
              />
            )}
          />
        </Stack>
      </WithPreview>
    </PageFrame>
  );
}

/** The second trip's own phrases are what makes one; of these nothing is seen without it. */
const UNSEEN_WITHOUT_SECOND_TRIP: readonly ListName[] = ['frasi_tra_viaggi', 'frasi_finali_secondo_viaggio'];

/** The list that is open: the one the address names, else the first. */
function useOpenList(lists: readonly ListName[]) {
  const { hash } = useLocation();
  const [chosen, setOpen] = useState(lists.find((list) => hash === `#${list}`) ?? lists[0]);
  return { open: chosen ?? 'frasi', setOpen };
}

/** What is written in the boxes that add and waits to be added: it survives a reload. */
function useWaiting({ name, lists }: ListsPage) {
  const draftOf = (list: ListName) => `${name}:${list}`;
  const [texts, setTexts] = useState<ReadonlyMap<ListName, string>>(
    () => new Map(lists.map((list) => [list, readDraft(draftOf(list), isText) ?? ''])),
  );
  const write = (list: ListName, text: string) => {
    keepDraft(draftOf(list), text === '' ? null : JSON.stringify(text));
    setTexts((before) => new Map(before).set(list, text));
  };
  const written = [...texts].filter(([, text]) => text.trim() !== '');
  return {
    of: (list: ListName) => texts.get(list) ?? '',
    any: written.length > 0,
    write,
    /** Empties the boxes. @returns what was in them, as phrases */
    takeAll(): [ListName, string][] {
      for (const list of lists) write(list, '');
      return written.map(([list, text]) => [list, text.trim()]);
    },
  };
}

function isText(draft: unknown): draft is string {
  return typeof draft === 'string';
}

function SecondsElsewhere({ seconds }: { seconds: number }) {
  return (
    <Text size="sm" c="dimmed">
      {texts.secondsElsewhere(seconds)}{' '}
      <Anchor component={Link} to="/admin/frasi" underline="always" inherit>
        {workshopPageTexts['/admin/frasi'].title}
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

/** The lists of a page, one at a time; a single one needs no tab. */
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
