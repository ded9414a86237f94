import type { SoundChoice } from '../door.ts';
import type { SoundTrack } from './tracks.ts';

/** The longest name of a track that is told. */
const LONGEST_TITLE = 80;

/** What the administrator is told of a sound. */
export const choiceOf = ({ index, language, title, channels }: SoundTrack): SoundChoice => ({
  track: index,
  language,
  title: title?.slice(0, LONGEST_TITLE) ?? null,
  channels,
});
