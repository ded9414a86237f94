import { flushSync } from 'react-dom';

/** Changes a list, and leaves the keyboard at an action of one of its rows (of the last where that one is gone). */
export function thenFocus(
  list: HTMLElement | null,
  change: () => void,
  index: number,
  action: 'edit' | 'remove',
): void {
  flushSync(change);
  const buttons = list?.querySelectorAll<HTMLElement>(`[data-action="${action}"]`) ?? [];
  buttons[Math.min(index, buttons.length - 1)]?.focus();
}
