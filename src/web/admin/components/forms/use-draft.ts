import { useCallback, useEffect, useState } from 'react';
import { isLike, keepDraft, readDraft } from './drafts.ts';
import type { Values } from './merge-values.ts';
import { sameValues } from './same-value.ts';

/** Typed values, and what they were before, in which version. */
export type Draft<V extends Values> = { values: V; before: V; versione: number };

/**
 * Keeps what is typed for a reload, and offers what an earlier page left behind.
 * @param current the form as it is now
 */
export function useDraft<V extends Values>(name: string, current: Draft<V>) {
  const { values, before } = current;
  const [offered, setOffered] = useState(() => readDraft(name, (draft) => isDraft(draft, before)));
  const typed = sameValues(values, before) ? null : JSON.stringify(current);
  useEffect(() => {
    // An offer waits where it is until somebody answers it or types something new.
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
