import type { Questions } from '../../../../domain/content.ts';
import { type ReadinessItem, readiness } from '../../../../domain/readiness.ts';
import type { Settings } from './preview-data.ts';

/** What the evening cannot do without (spec 2 «Preview»): the main video and at least one phrase after it. */
export function gapsOf(config: Settings, questions: Questions): ReadinessItem[] {
  // Codes and the closing day are told elsewhere: a preview is looked at before there are any.
  const items = readiness({ config, questions, usableCodes: 0 }, new Date());
  return items.filter(
    ({ id, state }) => state === 'missing' && (id === 'main_video' || id === 'post_phrases'),
  );
}
