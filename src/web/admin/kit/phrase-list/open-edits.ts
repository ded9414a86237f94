import { isLike, keepDraft, readDraft } from '../config-form/drafts.ts';
import { type Named, named } from './merge-lists.ts';

/** A phrase that is being rewritten: its name in the list, what it was, and what is written now. */
export type OpenEdit = { name: string; was: string; now: string };

/** The phrases of a list that are being rewritten, and what can be done to them. */
export type OpenEdits = ReturnType<typeof createOpenEdits>;

/**
 * What is written in a phrase's place waits for its «Conferma»: it survives a reload, a lost session and a look at another page. Nothing of it
 * goes to the list before it is confirmed.
 * @param name names the draft
 */
export function createOpenEdits(name: string) {
  let edits: readonly OpenEdit[] = readDraft(name, isEdits) ?? [];
  const listeners = new Set<() => void>();
  const become = (next: readonly OpenEdit[]) => {
    edits = next;
    const written = edits.filter(isWritten);
    keepDraft(name, written.length === 0 ? null : JSON.stringify(written));
    for (const listener of listeners) listener();
  };
  const without = (phrase: string) => edits.filter((edit) => edit.name !== phrase);
  return {
    state: () => edits,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open: (phrase: Named) =>
      become([...without(phrase.name), { name: phrase.name, was: phrase.text, now: phrase.text }]),
    write: (phrase: string, now: string) =>
      become(edits.map((edit) => (edit.name === phrase ? { ...edit, now } : edit))),
    close: (phrase: string) => become(without(phrase)),
    forget: () => become([]),
  };
}

/** Would something be lost if this editor closed? */
export function isWritten({ was, now }: OpenEdit): boolean {
  return now !== was;
}

/** What was written in the place of phrases that are no longer there: another window changed or removed them. */
export function lostEdits(edits: readonly OpenEdit[], phrases: readonly string[]): OpenEdit[] {
  const there = new Set(named(phrases).map(({ name }) => name));
  return edits.filter((edit) => isWritten(edit) && !there.has(edit.name));
}

/** The list as it would be if everything were confirmed: what the phone shows. */
export function rewritten(phrases: readonly string[], edits: readonly OpenEdit[]): string[] {
  return named(phrases).map(({ name, text }) => edits.find((edit) => edit.name === name)?.now ?? text);
}

const EXAMPLE: OpenEdit = { name: '', was: '', now: '' };

function isEdits(draft: unknown): draft is OpenEdit[] {
  return Array.isArray(draft) && draft.every((edit) => isLike(edit, EXAMPLE));
}
