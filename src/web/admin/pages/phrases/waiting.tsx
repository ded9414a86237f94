import { useState } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList as ListName } from '../../../../domain/configuration.ts';
import { keepDraft, readDraft } from '../../components/forms/drafts.ts';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { freeSlots, type PhraseLists, pasteOptions } from './lists.ts';
import type { PastedText } from './phrase-list.tsx';
import type { ListsPage, usePhraseLists } from './use-phrase-lists.ts';

/** Content not added yet: text in the boxes (survives a reload), and pasted lines whose split is not chosen. */
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
      needsConfirmation={failure !== null || waiting.any}
      onLeave={discard}
    />
  );
}
