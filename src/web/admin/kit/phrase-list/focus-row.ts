import { flushSync } from 'react-dom';

/** Changes a list, and leaves the keyboard at an action of one of its rows (of the last where that one is gone). */
export function thenFocus(
  list: HTMLElement | null,
  change: () => void,
  index: number,
  action: 'edit' | 'remove',
): void {
  flushSync(change);
  // A row that is being rewritten has no actions.
  const rows = [...(list?.children ?? [])];
  const button = (row: Element | undefined) => row?.querySelector<HTMLElement>(`[data-action="${action}"]`);
  const there = button(rows[index]) ?? rows.map(button).findLast((found) => found != null);
  there?.focus();
}

/** Opens a row's editor, and leads into its text, at the end. */
export function thenWrite(list: HTMLElement | null, open: () => void, index: number): void {
  flushSync(open);
  const input = list?.children[index]?.querySelector('textarea');
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}
