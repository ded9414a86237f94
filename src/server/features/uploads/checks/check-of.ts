import { MEDIA_SLOTS, type UploadTarget } from '../../../../domain/media-slots.ts';
import type { Check } from '../checked.ts';
import { checkImage, checkPoster } from './image.ts';
import { checkSong } from './song.ts';
import { checkTickets } from './tickets.ts';
import { checkVideo } from './video.ts';

const CHECKS = { video: checkVideo, image: checkImage, tickets: checkTickets, song: checkSong } as const;

/** How a file for this target is checked. */
export function checkOf(target: UploadTarget): Check {
  return target === 'poster' ? checkPoster : CHECKS[MEDIA_SLOTS[target].kind];
}
