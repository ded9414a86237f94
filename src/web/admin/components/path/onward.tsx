import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { nextMissingStep, stepForPage } from '../../../../domain/checklist.ts';
import { checklistTexts as texts } from '../../../../texts/admin/checklist.ts';
import styles from './onward.module.css';
import { useChecklist } from './use-path.ts';

/** The checklist step of this page, with a link to the next missing step, or to the dashboard if none is missing. */
export function NextStep() {
  const { pathname, hash } = useLocation();
  const scenes = useChecklist().data?.scenes ?? [];
  const current = stepForPage(scenes, pathname, hash.slice(1));
  if (current === undefined) return null;
  const next = nextMissingStep(scenes, current);
  const position = [scenes.indexOf(current) + 1, scenes.length] as const;
  const to = next === undefined ? '/admin/dashboard' : { pathname: next.page, hash: next.part };
  return (
    <div className={styles.onward}>
      <span className={styles.place}>{texts.stepShort(...position)}</span>
      <Button
        component={Link}
        to={to}
        size="sm"
        rightSection={<IconArrowRight size={16} aria-hidden />}
        aria-label={`${next === undefined ? texts.home : texts.onwardTo(next)}. ${texts.step(...position)}`}
      >
        {next === undefined ? texts.home : texts.onward}
      </Button>
    </div>
  );
}
