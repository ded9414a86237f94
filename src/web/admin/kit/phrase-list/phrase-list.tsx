import { Stack, Switch, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PhraseList as ListName } from '../../../../domain/content.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { AddBox, Pasted } from './add-box.tsx';
import { focusLastBox, PhraseRows } from './phrase-rows.tsx';
import type { usePhraseLists } from './use-phrase-lists.ts';

type PhraseListProps = {
  list: ListName;
  phrases: ReturnType<typeof usePhraseLists>;
  /** What is written and not added yet. */
  waiting: string;
  onWaiting: (text: string) => void;
  /** An empty phrase may be added (spec 5). */
  blankToo: boolean;
  onTouched: (index: number | undefined) => void;
};

/** One list: the box that adds, the phrases in their order, and whether they keep the chosen seconds. */
export function PhraseList({ list, phrases, waiting, onWaiting, blankToo, onTouched }: PhraseListProps) {
  const { lists, saved, failure } = phrases;
  const shown = lists[list];
  const exact = lists.frasi_secondi_esatti.includes(list);
  const element = useRef<HTMLDivElement>(null);
  const addInput = useRef<HTMLTextAreaElement>(null);
  const [pasted, setPasted] = useState<{ text: string; at?: number } | null>(null);

  function append(text: string): void {
    flushSync(() => {
      phrases.add(list, [text]);
      onTouched(shown.length);
    });
    if (text === '') focusLastBox(element.current);
  }
  function paste(pieces: string[]): void {
    phrases.add(list, pieces, pasted?.at);
    setPasted(null);
    addInput.current?.focus();
  }
  return (
    <Stack ref={element}>
      <AddBox
        text={waiting}
        onText={onWaiting}
        full={shown.length >= MAX_LENGTH.phrases}
        blankToo={blankToo}
        onAdd={append}
        onPaste={(text) => setPasted({ text })}
        input={addInput}
      />
      {pasted !== null && (
        <Pasted
          text={pasted.text}
          room={MAX_LENGTH.phrases - shown.length}
          onPieces={paste}
          onClose={() => {
            setPasted(null);
            addInput.current?.focus();
          }}
        />
      )}
      {shown.length === 0 ? (
        <EmptyState {...texts.empty} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {texts.orderHint} {shown.some((text) => text.trim() === '') && texts.blankHint}
          </Text>
          <PhraseRows
            list={list}
            phrases={shown}
            saved={failure === null ? null : saved[list]}
            seconds={lists.durata_frase_secondi}
            exact={exact}
            actions={phrases}
            onTouched={onTouched}
            onPaste={(at, text) => setPasted({ text, at })}
          />
        </>
      )}
      <Switch
        label={texts.exact}
        description={texts.exactHint(lists.durata_frase_secondi)}
        size="md"
        checked={exact}
        onChange={(event) => phrases.setExact(list, event.currentTarget.checked)}
      />
    </Stack>
  );
}
