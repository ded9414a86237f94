import { Stack, Switch, Text } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { phraseIdeas } from '../../../../texts/admin/suggestions.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Suggestions } from '../../components/suggestions/suggestions.tsx';
import { AddBox, Pasted } from './add-box.tsx';
import { freeSlots } from './lists.ts';
import { focusLastBox, PhraseRows } from './phrase-rows.tsx';
import type { usePhraseLists } from './use-phrase-lists.ts';

/** Lines pasted into a list. `at`: index of the empty phrase they replace. */
export type PastedText = { list: ListName; text: string; at?: number };

type PhraseListProps = {
  list: ListName;
  phrases: ReturnType<typeof usePhraseLists>;
  /** Text typed and not added yet. */
  waiting: string;
  onWaiting: (text: string) => void;
  /** Pasted lines that are not added yet. */
  pasted: PastedText | null;
  onPasted: (pasted: PastedText | null) => void;
  /** True if an empty phrase may be added (spec 5). */
  allowsBlank: boolean;
  onTouched: (index: number | undefined) => void;
};

/** One list: the box to add, the phrases in order, and the switch for exact seconds. */
export function PhraseList({ list, phrases, pasted, onPasted, onTouched, ...box }: PhraseListProps) {
  const shown = phrases.lists[list];
  const element = useRef<HTMLDivElement>(null);
  const addInput = useRef<HTMLTextAreaElement>(null);

  function append(text: string): void {
    flushSync(() => {
      phrases.add(list, [text]);
      onTouched(shown.length);
    });
    if (text === '') focusLastBox(element.current);
  }
  function addPasted(pieces: string[]): void {
    if (pieces.length > 0) phrases.add(list, pieces, pasted?.at);
    onPasted(null);
    addInput.current?.focus();
  }
  return (
    <Stack ref={element}>
      <AddBox
        text={box.waiting}
        onText={box.onWaiting}
        full={freeSlots(shown) === 0}
        allowsBlank={box.allowsBlank}
        onAdd={append}
        onPaste={(text) => onPasted({ list, text })}
        input={addInput}
      />
      <Suggestions
        key={list}
        ideas={phraseIdeas[list].map((idea) => [idea] as const)}
        open={shown.length === 0}
        disabled={freeSlots(shown) === 0}
        onTake={([idea]) => {
          phrases.take(list, idea);
          onTouched(shown.length);
        }}
      />
      {pasted !== null && (
        <Pasted
          text={pasted.text}
          room={freeSlots(shown)}
          onPieces={addPasted}
          onClose={() => addPasted([])}
        />
      )}
      <Shown
        list={list}
        phrases={phrases}
        onTouched={onTouched}
        onPaste={(at, text) => onPasted({ list, text, at })}
      />
    </Stack>
  );
}

type ShownProps = Pick<PhraseListProps, 'list' | 'phrases' | 'onTouched'> & {
  onPaste: (index: number, text: string) => void;
};

function Shown({ list, phrases, onTouched, onPaste }: ShownProps) {
  const { lists, saved, failure } = phrases;
  const { durata_frase_secondi: seconds, frasi_secondi_esatti, [list]: shown } = lists;
  const exact = frasi_secondi_esatti.includes(list);
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState drawing="phrases" {...texts.empty} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {texts.orderHint} {shown.some((text) => isBlank(text)) && texts.blankHint}
          </Text>
          <PhraseRows
            list={list}
            phrases={shown}
            saved={failure === null ? null : saved[list]}
            seconds={seconds}
            exact={exact}
            actions={phrases}
            onTouched={onTouched}
            onPaste={onPaste}
          />
        </>
      )}
      <Switch
        label={texts.exact}
        description={texts.exactHint(seconds)}
        size="md"
        checked={exact}
        onChange={(event) => phrases.setExact(list, event.currentTarget.checked)}
      />
    </>
  );
}
