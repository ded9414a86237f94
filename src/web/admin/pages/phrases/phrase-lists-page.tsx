import { Anchor, Badge, Stack, Tabs, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { HOURS, type Hour } from '../../../scenes/hours.ts';
import { keepDraft, readDraft } from '../../components/forms/drafts.ts';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { UnreadPage } from '../../components/forms/unread-page.tsx';
import { DraftOffer, NotSaved } from '../../components/forms/unsaved-notice.tsx';
import { useRecord } from '../../components/forms/use-record.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { PhraseReel } from '../../components/phone-frame/phrase-reel.tsx';
import { PREVIEW_DELAY_MS } from '../../components/phone-frame/preview-delay.ts';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { SaveBar } from '../../components/save-state.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { type PhraseLists, roomIn, waysOf } from './lists.ts';
import { type PastedText, PhraseList } from './phrase-list.tsx';
import { SecondsInput } from './seconds-input.tsx';
import { type ListsPage, usePhraseLists } from './use-phrase-lists.ts';

export type PhraseListsPageProps = ListsPage & { path: AdminPath };

/** A page of lists of phrases, beside a phone that shows the one being written. */
export function PhraseListsPage(page: PhraseListsPageProps) {
  const { record, problem, retry } = useRecord(configSource, page.sentences);
  if (record !== undefined) return <Lists page={page} record={record} />;
  return <UnreadPage {...adminPageTexts[page.path]} problem={problem} onRetry={retry} />;
}

function Lists({ page, record }: { page: PhraseListsPageProps; record: ConfigRecord }) {
  const phrases = usePhraseLists(record, page);
  const { lists, failure, saving, draft, unsaved } = phrases;
  const { open, setOpen } = useOpenList(page.lists);
  const waiting = useWaiting(page, lists);
  // What is being written: the phone shows that phrase.
  const [touched, setTouched] = useState<number>();
  const state = saving ? 'saving' : unsaved ? 'unsaved' : 'saved';
  const saveAll = () => {
    for (const { list, pieces, at } of waiting.takeAll()) phrases.add(list, pieces, at);
    phrases.flush();
  };
  const discard = () => {
    draft.discard();
    waiting.takeAll();
  };
  return (
    <PageFrame {...adminPageTexts[page.path]}>
      <LeaveGuard
        when={unsaved || waiting.any}
        saving={saving}
        onSave={waiting.fits ? saveAll : null}
        asks={failure !== null || waiting.any}
        onLeave={discard}
      />
      <WithPreview
        bar={<SaveBar state={state} saving={saving} onSave={phrases.save} />}
        preview={<Preview key={open} list={open} lists={lists} at={touched} />}
      >
        <Stack>
          {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
          {failure !== null && <NotSaved sentence={failure} onRetry={phrases.flush} />}
          {UNSEEN_WITHOUT_SECOND_TRIP.includes(open) && <UnseenNotice path={page.path} />}
          <Seconds page={page} phrases={phrases} />
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

/**
 * What isn't added yet: what is written in the boxes that add (it survives a reload), and what was pasted and waits for a word on how many
 * phrases it is.
 */
function useWaiting({ name, lists }: ListsPage, phrases: PhraseLists) {
  const draftOf = (list: ListName) => `${name}:${list}`;
  const [texts, setTexts] = useState<ReadonlyMap<ListName, string>>(
    () => new Map(lists.map((list) => [list, readDraft(draftOf(list), isText) ?? ''])),
  );
  const [pasted, paste] = useState<PastedText | null>(null);
  const write = (list: ListName, text: string) => {
    keepDraft(draftOf(list), text === '' ? null : JSON.stringify(text));
    setTexts((before) => new Map(before).set(list, text));
  };
  const written = [...texts].filter(([, text]) => text.trim() !== '');
  // Without a word the likeliest way that there is room for.
  const way = pasted && waysOf(pasted.text, roomIn(phrases[pasted.list])).find(({ fits }) => fits);
  return {
    of: (list: ListName) => texts.get(list) ?? '',
    pasted,
    any: written.length > 0 || pasted !== null,
    /** It can all be added as it is. */
    fits: way !== undefined,
    write,
    paste,
    /** Empties the boxes. @returns what was in them, as phrases, and the place of the empty one they are for */
    takeAll(): { list: ListName; pieces: string[]; at?: number | undefined }[] {
      for (const list of lists) write(list, '');
      paste(null);
      return [
        ...(pasted && way ? [{ list: pasted.list, pieces: way.pieces, at: pasted.at }] : []),
        ...written.map(([list, text]) => ({ list, pieces: [text.trim()] })),
      ];
    },
  };
}

function isText(draft: unknown): draft is string {
  return typeof draft === 'string';
}

/** When each list is seen. */
const LIST_HOURS: Record<ListName, Hour> = {
  frasi_pre_video: HOURS.pre_phrases,
  frasi: HOURS.phrases,
  frasi_tra_viaggi: HOURS.between_phrases,
  frasi_secondo_viaggio: HOURS.phrases,
  frasi_finali_secondo_viaggio: HOURS.closing,
};

/** The list that is open, on her phone. */
function Preview({ list, lists, at }: { list: ListName; lists: PhraseLists; at: number | undefined }) {
  const [shown] = useDebouncedValue(lists[list], PREVIEW_DELAY_MS);
  return (
    <PhonePreview label={texts.previews[list]} hour={LIST_HOURS[list]}>
      <PhraseReel
        phrases={shown}
        seconds={lists.durata_frase_secondi}
        exact={lists.frasi_secondi_esatti.includes(list)}
        at={at}
      />
    </PhonePreview>
  );
}

/** How long every phrase stays, or where that is set. */
function Seconds({ page, phrases }: { page: ListsPage; phrases: ReturnType<typeof usePhraseLists> }) {
  const { durata_frase_secondi: seconds } = phrases.lists;
  if (page.setsSeconds === true) return <SecondsInput seconds={seconds} onChange={phrases.setSeconds} />;
  return (
    <Text size="sm" c="dimmed">
      {texts.secondsElsewhere(seconds)}{' '}
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
