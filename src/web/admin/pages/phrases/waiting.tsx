import { useState } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { keepDraft, readDraft } from '../../components/forms/drafts.ts';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { freeSlots, type PhraseLists, pasteOptions } from './lists.ts';
import type { PastedText } from './phrase-list.tsx';
import type { ListsPage, usePhraseLists } from './use-phrase-lists.ts';

/**
 * What isn't added yet: what is written in the boxes that add (it survives a reload), and what was pasted and waits for a word on how many
 * phrases it is.
 */
export function useUnsavedPhrases({ name, lists }: ListsPage, phrases: PhraseLists) {
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
  // Without a word the likeliest way that there is room for.
  const way = pasted && pasteOptions(pasted.text, freeSlots(phrases[pasted.list])).find(({ fits }) => fits);
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

type LeavingProps = {
  phrases: ReturnType<typeof usePhraseLists>;
  waiting: ReturnType<typeof useUnsavedPhrases>;
};

/** What is asked where the page is left with something unsaved, or typed and not added yet. */
export function PhrasesLeaveGuard({ phrases, waiting }: LeavingProps) {
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
      asks={failure !== null || waiting.any}
      onLeave={discard}
    />
  );
}
