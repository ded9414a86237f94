import { neededToPlay } from '../../../../domain/readiness-checks.ts';
import { READINESS_PAGE, type ReadinessItem } from '../../../../domain/readiness-ids.ts';
import type { Settings } from './preview-data.ts';

const GAPS = ['main_video', 'post_phrases'] as const;

/** What the evening cannot do without (spec 2 «Preview»): the main video and at least one phrase after it. */
export function gapsOf(config: Settings): ReadinessItem[] {
  const there = neededToPlay(config);
  return GAPS.filter((id) => there[id] === false).map((id) => ({
    id,
    state: 'missing',
    page: READINESS_PAGE[id],
  }));
}
