import { Anchor, Badge, NumberInput, Stack, Tabs, Text } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { PHRASE_SECONDS } from '../../../../domain/limits.ts';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import {
  intermediatePhrasesTexts,
  secondTripFinalPhrasesTexts,
  secondTripPhrasesTexts,
  phraseListTexts as texts,
} from '../../../../texts/admin/phrases.ts';
import { SKY_OF_STAGE, type SkyPhase } from '../../../scenes/hours.ts';
import { DraftOffer, SaveError } from '../../components/forms/form-body.tsx';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LoadingPage } from '../../components/forms/unread-page.tsx';
import { keepDraft, readDraft } from '../../components/forms/use-draft.ts';
import { useRecord } from '../../components/forms/use-record.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { PhraseReel } from '../../components/phone-frame/phrase-reel.tsx';
import { PREVIEW_DELAY_MS, WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { SaveBar } from '../../components/save-state.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { useRecipientName } from '../../components/use-her-name.ts';
import { freeSlots, type PhraseLists, pasteOptions, secondsOf } from './lists.ts';
import { type PastedText, PhraseList } from './phrase-list.tsx';
import { type ListsPage, usePhraseLists } from './use-phrase-lists.ts';

type PhraseListsPageProps = ListsPage & { path: AdminPath };

/** A page of phrase lists, with a phone that shows the edited phrase. */
function PhraseListsPage(page: PhraseListsPageProps) {
  const { record, problem, retry } = useRecord(configSource, page.sentences);
  if (record !== undefined) return <Lists page={page} record={record} />;
  return <LoadingPage {...adminPageTexts[page.path]} problem={problem} onRetry={retry} />;
}

function Lists({ page, record }: { page: PhraseListsPageProps; record: ConfigRecord }) {
  const phrases = usePhraseLists(record, page);
  const { lists, failure, saving, draft, unsaved } = phrases;
  const { open, setOpen } = useOpenList(page.lists);
  const waiting = useUnsavedPhrases(page, lists);
  // Index of the edited phrase, shown on the phone. The one written in the box comes after the last.
  const [touched, setTouched] = useState<number>();
  const unsavedState = failure === null ? 'pending' : 'unsaved';
  const state = saving ? 'saving' : unsaved ? unsavedState : 'saved';
  return (
    <PageFrame {...adminPageTexts[page.path]}>
      <PhrasesLeaveGuard phrases={phrases} waiting={waiting} />
      {page.path !== '/admin/frasi' && <UnseenNotice of="second" />}
      <WithPreview
        bar={<SaveBar state={state} onSave={page.setsSeconds === true ? undefined : phrases.save} />}
        preview={
          <Preview
            key={open}
            list={open}
            lists={lists}
            written={touched === lists[open].length ? waiting.of(open) : ''}
            at={touched}
            onReplay={() => setTouched(undefined)}
          />
        }
      >
        <Stack>
          {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
          {failure !== null && <SaveError sentence={failure} onRetry={phrases.flush} />}
          {page.setsSeconds === true && (
            <SecondsInput seconds={lists.durata_frase_secondi} onChange={phrases.setSeconds} />
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
                onWaiting={(text) => {
                  waiting.write(list, text);
                  setTouched(isBlank(text) ? undefined : lists[list].length);
                }}
                pasted={waiting.pasted?.list === list ? waiting.pasted : null}
                onPasted={waiting.paste}
                allowsBlank={page.setsSeconds !== true}
                onTouched={setTouched}
              />
            )}
          />
          {page.setsSeconds !== true && (
            <Text size="sm" c="dimmed">
              {texts.secondsElsewhere(lists.durata_frase_secondi)}{' '}
              <Anchor component={Link} to="/admin/frasi" underline="always" inherit>
                {adminPageTexts['/admin/frasi'].title}
              </Anchor>
              .
            </Text>
          )}
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

type PreviewProps = {
  list: ListName;
  lists: PhraseLists;
  /** Phrase being written, not added yet. */
  written: string;
  at: number | undefined;
  onReplay: () => void;
};

/** The open list on the visitor's phone. */
function Preview({ list, lists, written, at, onReplay }: PreviewProps) {
  const phrases = lists[list];
  const all = useMemo(() => (isBlank(written) ? phrases : [...phrases, written]), [phrases, written]);
  const [shown] = useDebouncedValue(all, PREVIEW_DELAY_MS);
  const { personalize } = useRecipientName();
  return (
    <PhonePreview label={texts.previews[list]} hour={LIST_HOURS[list]} onReplay={onReplay}>
      <PhraseReel
        phrases={shown.map(personalize)}
        seconds={lists.durata_frase_secondi}
        exact={lists.frasi_secondi_esatti.includes(list)}
        at={at}
      />
    </PhonePreview>
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

/** The four pages of phrases (spec 2), with their lists and sentences. */
const PAGES = {
  '/admin/frasi': {
    name: 'frasi',
    lists: ['frasi_pre_video', 'frasi'],
    setsSeconds: true,
    sentences: texts,
  },
  '/admin/intermediate-phrases': {
    name: 'frasi-tra-viaggi',
    lists: ['frasi_tra_viaggi'],
    sentences: intermediatePhrasesTexts,
  },
  '/admin/second-trip-phrases': {
    name: 'frasi-secondo-viaggio',
    lists: ['frasi_secondo_viaggio'],
    sentences: secondTripPhrasesTexts,
  },
  '/admin/second-trip-final-phrases': {
    name: 'frasi-finali-secondo-viaggio',
    lists: ['frasi_finali_secondo_viaggio'],
    sentences: secondTripFinalPhrasesTexts,
  },
} as const satisfies Partial<Record<AdminPath, ListsPage>>;

/** Returns the page of phrases for a path. */
export function phrasesPage(path: keyof typeof PAGES): ComponentType {
  return () => <PhraseListsPage path={path} {...PAGES[path]} />;
}

/** Pause in typing after which the value is saved, in ms. */
const DEBOUNCE_MS = 700;

/** Duration of all phrases: saved shortly after typing, or when the field is left. */
function SecondsInput({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const [written, setWritten] = useState(String(seconds));
  useEffect(() => setWritten(String(seconds)), [seconds]);
  const settle = (text: string) => {
    const next = secondsOf(text);
    setWritten(String(next));
    if (next !== seconds) onChange(next);
  };
  const settleSoon = useDebouncedCallback((text: string) => {
    // An incomplete value waits until the field is left.
    if (String(secondsOf(text)) === text) settle(text);
  }, DEBOUNCE_MS);
  return (
    <NumberInput
      label={texts.seconds}
      description={texts.secondsHint}
      size="md"
      maw="18rem"
      min={PHRASE_SECONDS.min}
      max={PHRASE_SECONDS.max}
      clampBehavior="none"
      allowDecimal={false}
      value={written}
      onChange={(value) => {
        setWritten(String(value));
        settleSoon(String(value));
      }}
      onBlur={() => {
        settleSoon.cancel();
        settle(written);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(written);
      }}
    />
  );
}

/** Content not added yet: text in the boxes (survives a reload), and pasted lines whose split is not chosen. */
function useUnsavedPhrases({ name, lists }: ListsPage, phrases: PhraseLists) {
  const draftOf = (list: ListName) => `${name}:${list}`;
  const [texts, setTexts] = useState<ReadonlyMap<ListName, string>>(
    () => new Map(lists.map((list) => [list, readDraft(draftOf(list), isText) ?? ''])),
  );
  const [pasted, paste] = useState<PastedText | null>(null);
  const write = (list: ListName, text: string) => {
    keepDraft(draftOf(list), text === '' ? null : JSON.stringify(text));
    setTexts((before) => new Map(before).set(list, text));
  };
  const written = [...texts].filter(([, text]) => !isBlank(text));
  // Default split of pasted lines: the likeliest that fits.
  const way = pasted && pasteOptions(pasted.text, freeSlots(phrases[pasted.list])).find(({ fits }) => fits);
  return {
    of: (list: ListName) => texts.get(list) ?? '',
    pasted,
    any: written.length > 0 || pasted !== null,
    /** True if all of it can be added. */
    fits: way !== undefined,
    write,
    paste,
    /** Empties the boxes. @returns their content as phrases; `at`: index of the empty phrase to replace */
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

type LeavingProps = {
  phrases: ReturnType<typeof usePhraseLists>;
  waiting: ReturnType<typeof useUnsavedPhrases>;
};

/** Confirms leaving with unsaved changes or content not added yet. */
function PhrasesLeaveGuard({ phrases, waiting }: LeavingProps) {
  const { unsaved, saving, failure, draft } = phrases;
  const saveAll = () => {
    for (const { list, pieces, at } of waiting.takeAll()) phrases.add(list, pieces, at);
    phrases.flush();
  };
  const discard = () => {
    draft.discard();
    waiting.takeAll();
  };
  return (
    <LeaveGuard
      when={unsaved || waiting.any}
      saving={saving}
      onSave={waiting.fits ? saveAll : null}
      needsConfirmation={failure !== null || waiting.any}
      onLeave={discard}
    />
  );
}
