import { Stack, Text } from '@mantine/core';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { AddBox } from '../../kit/phrase-list/add-box.tsx';
import type { ListName } from '../../kit/phrase-list/lists.ts';
import { LostEdits } from '../../kit/phrase-list/lost-edits.tsx';
import { SortableList } from '../../kit/phrase-list/sortable-list.tsx';
import type { EditedList } from '../../kit/phrase-list/use-open-edits.ts';
import type { usePhraseLists } from '../../kit/phrase-list/use-phrase-lists.ts';
import { EmptyState } from '../../shell/empty-state.tsx';

type PhraseTabProps = {
  list: ListName;
  phrases: ReturnType<typeof usePhraseLists>;
  edited: EditedList;
  onTouched: (index: number | undefined) => void;
};

/** One of the two lists: the box that adds, and the phrases in their order. */
export function PhraseTab({ list, phrases, edited, onTouched }: PhraseTabProps) {
  const { lists, saved, failure, add, move, replace, remove } = phrases;
  const shown = lists[list];
  const append = (text: string) => {
    add(list, text);
    onTouched(shown.length);
  };
  return (
    <Stack>
      <AddBox name={`frasi:${list}`} full={shown.length >= MAX_LENGTH.phrases} onAdd={append} />
      <LostEdits phrases={shown} edited={edited} onAdd={append} />
      {shown.length === 0 ? (
        <EmptyState {...texts.empty} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {texts.orderHint}
          </Text>
          <SortableList
            label={texts.list(texts.tabs[list])}
            phrases={shown}
            saved={failure === null ? null : saved[list]}
            edited={edited}
            onMove={(from, to) => move(list, from, to)}
            onReplace={(index, text) => replace(list, index, text)}
            onRemove={(index) => remove(list, index)}
            onTouched={onTouched}
          />
        </>
      )}
    </Stack>
  );
}
