import { closeFilmSource } from '../media/film-source.ts';
import { forgetMedia } from '../media/preload.ts';
import { createSong, type PageSong } from '../media/song.ts';
import type { Sound } from '../media/sounds.ts';
import { createVideoStage, type VideoStage, type VideoStageOptions } from '../media/stage.ts';
import type { Media } from './visit-ports.ts';

const sounds = import('../media/sounds.ts').catch(() => null);

/** Plays a soft sound in addition to the song, if enabled. */
export function playSound(sound: Sound, isEnabled = false): void {
  if (isEnabled) void sounds.then((it) => it?.playSound(sound));
}

let song: PageSong | undefined;
let film: VideoStage | undefined;

/** Returns the evening's song. */
export function experienceSong(): PageSong {
  song ??= createSong();
  return song;
}

/** Opens a film and removes the previous one. */
export function openFilm(options: VideoStageOptions): VideoStage {
  film?.destroy();
  film = createVideoStage(options);
  return film;
}

/** Returns the chart's media effects. */
export function experienceMedia(): Media {
  const { start, fade, stop } = experienceSong();
  return { song: { start, fade, stop }, video: { stop: closeFilm } };
}

/** Stops all media at the end of the evening and empties the elements. */
export function endMedia(): void {
  closeFilm();
  song?.destroy();
  song = undefined;
  closeFilmSource();
  forgetMedia();
}

function closeFilm(): void {
  film?.destroy();
  film = undefined;
}
