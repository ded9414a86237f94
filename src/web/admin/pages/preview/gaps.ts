import { type Configuration, shownPhrases } from '../../../../domain/content.ts';
import type { WorkshopPath } from '../../../../texts/admin/pages.ts';
import { previewTexts } from '../../../../texts/admin/preview.ts';

export type Gap = { text: string; path: WorkshopPath };

/** What the evening cannot do without (spec 2 «Preview»): the main video and at least one phrase after it. */
export function gapsOf(config: Pick<Configuration, 'video_url' | 'frasi'>): Gap[] {
  const video = { text: previewTexts.gaps.video, path: '/admin/video' } as const;
  const frasi = { text: previewTexts.gaps.frasi, path: '/admin/frasi' } as const;
  return [
    ...(config.video_url === null ? [video] : []),
    ...(shownPhrases(config.frasi).length === 0 ? [frasi] : []),
  ];
}
