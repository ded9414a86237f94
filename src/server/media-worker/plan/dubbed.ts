import { MOST_SOUNDS } from '../bounds.ts';
import type { DubWork, Made, SoundChoice, SoundsWork } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { type FilmPlan, orRefuse, planFilm, planSound, type SoundPlan } from './film-plan.ts';
import { type Hands, planFilmsSound } from './levelled.ts';
import { madeFilm } from './made.ts';
import { choiceOf } from './sounds.ts';
import { choicesIn, type SoundTrack } from './tracks.ts';

/** Sounds that are written side by side into one file; `origin` and `duration` as a film's. */
export type SoundsPlan = Pick<FilmPlan, 'origin' | 'duration'> & { sounds: SoundPlan[] };

/** What FFmpeg does of the sounds of a film. */
type SoundsHands = {
  read: Hands['read'];
  /** Says of each whether it is faulty. */
  sounds(path: string, made: string, plan: SoundsPlan, progress: Progress): Promise<boolean[]>;
};

/**
 * Makes a file of the sounds that a film may be given. Those that turn out not to be sound are left out.
 * @throws {FileRefused} `no_sound` where there are not two left to choose among
 */
export async function makeSounds(
  { path, made, sound }: SoundsWork,
  { read, sounds: carryOut }: SoundsHands,
  progress: Progress,
): Promise<SoundChoice[]> {
  const tracks = await read(path, progress);
  const film = orRefuse(planFilm(tracks, { sound }));
  progress.weighs(film.megapixels);
  const taken = film.sound?.track.index ?? null;
  let sounds = someOf(choicesIn(tracks), taken).map((track) => planSound(track, false));
  while (sounds.length > 1) {
    const faulty = await carryOut(path, made, { ...film, sounds }, progress);
    if (!faulty.includes(true)) return sounds.map(({ track }) => choiceOf(track));
    sounds = sounds.flatMap((plan, at) => (faulty[at] === true ? betterThan(plan) : [plan]));
  }
  throw new FileRefused('no_sound');
}

/** As many as are offered: the first ones, and the one that was taken. */
const someOf = (tracks: readonly SoundTrack[], taken: number | null) =>
  tracks.filter(({ index }, at) => index === taken || at < MOST_SOUNDS);

/** What was faulty as it is may be made anew; what was made is given up. */
const betterThan = ({ how, track }: SoundPlan) => (how === 'keep' ? [planSound(track, true)] : []);

/** What FFmpeg does to give a film another sound. */
type DubHands = Pick<Hands, 'read' | 'measure' | 'film'>;

/** Makes of a stored film one with another of its sounds; the picture stays bit for bit. */
export async function makeDubbed(
  { path, sounds, place, made }: DubWork,
  hands: DubHands,
  progress: Progress,
): Promise<Made> {
  const film = orRefuse(planFilmsSound(await hands.read(path, progress)));
  const track = (await hands.read(sounds, progress)).sounds[place];
  if (track === undefined || track.times === null) throw new FileRefused('no_sound');
  const end = Math.max(film.picture.track.times?.end ?? 0, track.times.end);
  const sound = planSound(track, false);
  const plan = { ...film, sound, soundFile: sounds, duration: end - film.origin };
  const faulty = await hands.film(path, made, plan, progress);
  if (faulty.picture || faulty.sound) throw new FileRefused('damaged');
  return madeFilm(plan, await hands.measure(made, null, progress));
}
