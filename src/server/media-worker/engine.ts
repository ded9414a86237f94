import type { DubWork, LevelWork, Made, Seen, SoundChoice, SoundsWork } from './door.ts';
import type { Progress } from './progress.ts';

/** Whoever does the work: the FFmpeg that comes with the packages, or the system's. Rejects with `FileRefused` when it is the file's fault. */
export type Engine = {
  probe(path: string, kind: 'film' | 'song', progress: Progress): Promise<Seen>;
  film(path: string, made: string, sound: number | null, progress: Progress): Promise<Made>;
  light(work: { path: string; made: string }, progress: Progress): Promise<Made>;
  song(path: string, made: string, progress: Progress): Promise<Made>;
  poster(path: string, made: string, second: number, progress: Progress): Promise<Made>;
  sounds(work: SoundsWork, progress: Progress): Promise<SoundChoice[]>;
  dub(work: DubWork, progress: Progress): Promise<Made>;
  level(work: LevelWork, progress: Progress): Promise<Made>;
  /** Decodes everything in a film or song; rejects where anything of it can't be. */
  whole(path: string, progress: Progress): Promise<void>;
};
