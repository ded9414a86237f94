import { useCallback, useEffect, useState } from 'react';
import { isLike, keepDraft, readDraft } from './drafts.ts';
import type { Values } from './merge-values.ts';
import { sameValues } from './same-value.ts';

/** Typed values, the values before them, and the record's version. */
export type Draft<V extends Values> = { values: V; before: V; versione: number };

/**
 * Stores typed values as a draft for a reload, and offers the draft of an earlier page load.
 * @param current the form's present state
 */
export function useDraft<V extends Values>(name: string, current: Draft<V>) {
  const { values, before } = current;
  const [offered, setOffered] = useState(() => readDraft(name, (draft) => isDraft(draft, before)));
  const typed = sameValues(values, before) ? null : JSON.stringify(current);
  useEffect(() => {
    // An offer stays stored until it is answered or new text is typed.
    if (typed !== null || offered === null) keepDraft(name, typed);
  }, [name, typed, offered]);
  const forget = useCallback(() => {
    keepDraft(name, null);
    setOffered(null);
  }, [name]);
  const offer = offered !== null && !sameValues(offered.values, before) ? offered : null;
  return { offer, forget };
}

function isDraft<V extends Values>(draft: unknown, example: V): draft is Draft<V> {
  return (
    isLike(draft, { values: {}, before: {}, versione: 0 }) &&
    isLike(draft.values, example) &&
    isLike(draft.before, example)
  );
}
