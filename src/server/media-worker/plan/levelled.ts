import type { FileProblem, LevelWork, Made } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { type Anew, type FilmPlan, orRefuse, planFilm } from './film-plan.ts';
import { type Loudness, level } from './loudness.ts';
import { madeFilm, madeSong } from './made.ts';
import { planSong, type SongPlan } from './song-plan.ts';
import { soundFilters } from './sound-plan.ts';
import { pictureOf, type Tracks } from './tracks.ts';

/** What FFmpeg does of it. */
export type Hands = {
  read(path: string, progress: Progress): Promise<Tracks>;
  /** @param index of the track, or null for the only one */
  measure(path: string, index: number | null, progress: Progress): Promise<Loudness>;
  /** Says what of it is faulty. */
  film(path: string, made: string, plan: FilmPlan, progress: Progress): Promise<Anew>;
  /** False where it is faulty. */
  song(path: string, made: string, plan: SongPlan, progress: Progress): Promise<boolean>;
};

/** Makes of a stored film or song one that is as loud as it should be; a film's picture stays bit for bit. */
export async function makeLevelled(work: LevelWork, hands: Hands, progress: Progress): Promise<Made> {
  const { path, made } = work;
  const tracks = await hands.read(path, progress);
  if (work.kind === 'song') {
    const plan = orRefuse(planSong(tracks, true));
    const heard = await carryOut(work, hands, plan, progress, (...now) => hands.song(path, made, ...now));
    return madeSong(plan, heard);
  }
  const plan = orRefuse(planFilmsSound(tracks));
  const heard = await carryOut(work, hands, plan, progress, async (...now) => {
    const faulty = await hands.film(path, made, ...now);
    return !faulty.picture && !faulty.sound;
  });
  return madeFilm(plan, heard);
}

/** How a stored film gets other sound: its picture as it is, whatever it is; it was looked at when it came. */
export function planFilmsSound(tracks: Tracks): FilmPlan | { refused: FileProblem } {
  const plan = planFilm(tracks, { anew: { picture: false, sound: true } });
  const track = pictureOf(tracks);
  if ('refused' in plan || track === null) return plan;
  return { ...plan, picture: { how: 'keep', track, size: plan.picture.size, relevel: false, known: true } };
}

type Making<P> = (plan: P, progress: Progress) => Promise<boolean>;

function carryOut<P extends FilmPlan | SongPlan>(
  { path, made, target }: LevelWork,
  { measure }: Hands,
  plan: P,
  progress: Progress,
  make: Making<P>,
): Promise<Loudness> {
  const { sound } = plan;
  if (sound?.how !== 'make') throw new FileRefused('no_sound');
  return level({
    target,
    progress,
    measure: (which, part) =>
      which === 'made' ? measure(made, null, part) : measure(path, sound.track.index, part),
    async make(filters, part) {
      const louder = { ...plan, sound: { ...sound, filters: soundFilters(sound.track, filters) } };
      if (!(await make(louder, part))) throw new FileRefused('damaged');
    },
  });
}
