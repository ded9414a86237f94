import { closeFilmSource } from '../media/film-source.ts';
import { forgetMedia } from '../media/preload.ts';
import { createSong, type PageSong } from '../media/song.ts';
import type { Sound } from '../media/sounds.ts';
import { createVideoStage, type VideoStage, type VideoStageOptions } from '../media/stage.ts';
import type { Media } from './visit-ports.ts';

const sounds = import('../media/sounds.ts').catch(() => null);

/** Plays a soft sound beside the song, where they are wanted. */
export function playSound(sound: Sound, wanted = false): void {
  if (wanted) void sounds.then((it) => it?.playSound(sound));
}

let song: PageSong | undefined;
let film: VideoStage | undefined;

/** The song of this evening. */
export function experienceSong(): PageSong {
  song ??= createSong();
  return song;
}

/** Puts the film on; the one before it, if any, is taken off. */
export function openFilm(options: VideoStageOptions): VideoStage {
  film?.destroy();
  film = createVideoStage(options);
  return film;
}

/** The chart's hands on the media. */
export function experienceMedia(): Media {
  const { start, fade, stop } = experienceSong();
  return { song: { start, fade, stop }, video: { stop: closeFilm } };
}

/** The evening is left: nothing plays and nothing of it stays in the elements. */
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
