import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link, NavigationType, useLocation, useNavigationType } from 'react-router';
import { type ChecklistStep, type StepName, stepAfter, stepForPage } from '../../../../domain/checklist.ts';
import { checklistTexts as texts } from '../../../../texts/admin/dashboard.ts';
import { IconArrowRight } from '../../../ui/icons/icons.tsx';
import styles from './onward.module.css';
import { useChecklist } from './use-path.ts';

/** The checklist step of this page, with a link to the next missing step, or to the dashboard if none is missing. */
export function NextStep() {
  const { pathname, hash } = useLocation();
  const scenes = useChecklist().data?.scenes ?? [];
  const current = stepForPage(scenes, pathname, hash.slice(1));
  if (current === undefined) return null;
  const next = stepAfter(scenes, current);
  const position = [scenes.indexOf(current) + 1, scenes.length] as const;
  return (
    <div className={styles.onward}>
      <span className={styles.place}>{texts.stepShort(...position)}</span>
      <Button
        component={Link}
        {...(next === undefined ? { to: '/admin/dashboard' } : stepLink(next))}
        size="sm"
        rightSection={<IconArrowRight size={16} aria-hidden />}
        aria-label={`${next === undefined ? texts.home : texts.onwardTo(next)}. ${texts.step(...position)}`}
      >
        {next === undefined ? texts.home : texts.onward}
      </Button>
    </div>
  );
}

/** Steps that begin with a text field. */
const WRITTEN: ReadonlySet<StepName> = new Set([
  'evening',
  'pre_phrases',
  'phrases',
  'between_phrases',
  'questions',
  'closing',
  'code',
]);

/** Returns the properties of a link to a step; its first text field then gets the focus. */
export function stepLink({ name, page, part }: ChecklistStep) {
  return { to: { pathname: page, hash: part }, state: { writes: WRITTEN.has(name) } };
}

const FIELDS = ':is(textarea, input:is([type="text"], :not([type]))):not([inputmode], :disabled)';
/** Input events after which the focus stays where it is. */
const USER_EVENTS = ['pointerdown', 'keydown', 'wheel'] as const;

/** After a link of `stepLink`, moves the focus to the step's first text field as soon as it can be written. */
export function useFocusOnField(): void {
  const { key, state } = useLocation();
  const isNew = useNavigationType() === NavigationType.Push;
  const isWritten = isNew && (state as { writes?: boolean } | null)?.writes === true;
  useEffect(() => {
    if (!isWritten) return undefined;
    const growth = new MutationObserver(focusOnField);
    const listeners = new AbortController();
    const end = () => {
      growth.disconnect();
      listeners.abort();
    };
    for (const type of USER_EVENTS)
      addEventListener(type, end, { passive: true, capture: true, signal: listeners.signal });
    growth.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
    focusOnField();
    return end;

    function focusOnField(): void {
      const field = document.querySelector<HTMLElement>(`#contenuto ${FIELDS}`);
      field?.focus();
      if (field !== null && document.activeElement === field) end();
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `key`: led to the next step, which is written too
  }, [key, isWritten]);
}
