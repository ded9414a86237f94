import { stat } from 'node:fs/promises';
import type { FileRefusal, MediaWarning } from '../../../contract/admin/media.ts';
import { isHeavySong, isHeavyVideo, MEDIA_SLOTS, type MediaKind } from '../../../domain/media.ts';
import type { Deps } from '../../deps.ts';
import type { MediaTask, TaskControl, TaskOutcome } from '../../media-worker/worker.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { ticketKind } from '../media/media.service.ts';
import { type Companion, createRenditions } from './companions.service.ts';
import { fileRefusalFor } from './refusal.ts';
import type { IncomingUpload, WorkPaths } from './upload-folder.ts';

/** A converted upload: the path and type of its bytes, and its companion files. */
export type ConvertedFile = {
  path: string;
  extension: string;
  content_type: string;
  warnings: MediaWarning[];
  /** In LUFS. */
  loudness?: number | null;
  seconds?: number;
  companions: Companion[];
};

type MakeDeps = Pick<Deps, 'mediaWorker' | 'log'>;

/** A film's poster is searched from this second on, or from the middle of a shorter film. */
const POSTER_SECOND = 1;

type Converter = (
  deps: MakeDeps,
  path: string,
  places: WorkPaths,
  control: TaskControl,
) => Promise<ConvertedFile | Refusal<FileRefusal>>;

/** Converts the upload at `path` to a format that phones can show. Rejects if aborted, or with an error of the machine. */
export function convertUpload(
  deps: MakeDeps,
  { slot, path }: Pick<IncomingUpload, 'slot'> & { path: string },
  places: WorkPaths,
  control: TaskControl,
): Promise<ConvertedFile | Refusal<FileRefusal>> {
  return CONVERTERS[MEDIA_SLOTS[slot].kind](deps, path, places, control);
}

const makeFilm: Converter = async (deps, path, { made, beside: companionPath }, control) => {
  const runTask = taskRunner(deps, 'video', control);
  const film = await runTask({ task: 'film', path, output: made });
  if (isRefused(film)) return film;
  if (!('output' in film)) throw unexpected('film');
  const { duration, hasSound, loudness } = film.output;
  const second = Math.min(POSTER_SECOND, duration / 2);
  const drawn = await runTask({ task: 'poster', path: made, output: companionPath, second });
  const { size } = await stat(made);
  const warnings: MediaWarning[] = [
    ...(hasSound ? [] : (['NO_SOUND'] as const)),
    ...(isHeavyVideo({ bytes: size, seconds: duration }) ? (['HEAVY'] as const) : []),
  ];
  const companions = isRefused(drawn) ? [] : [{ kind: 'poster' as const, path: companionPath }];
  return { path: made, ...MP4, warnings, loudness, seconds: duration, companions };
};

const makeSong: Converter = async (deps, path, { made }, control) => {
  const song = await taskRunner(deps, 'song', control)({ task: 'song', path, output: made });
  if (isRefused(song)) return song;
  if (!('output' in song)) throw unexpected('song');
  const { size } = await stat(made);
  const type = song.output.extension === 'mp3' ? MP3 : M4A;
  const warnings: MediaWarning[] = isHeavySong(size) ? ['HEAVY'] : [];
  const { loudness, duration: seconds } = song.output;
  return { path: made, ...type, warnings, loudness, seconds, companions: [] };
};

/** Share of drawing in a picture's progress (0 to 1); the rest are its sizes and formats. */
const DRAWING_SHARE = 0.2;

const makeImage: Converter = async (deps, path, { made, many }, control) => {
  const work = { path, output: made, use: 'shown' } as const;
  const picture = await makePicture(taskRunner(deps, 'image', subProgress(control, 0, DRAWING_SHARE)), work);
  if (isRefused(picture)) return picture;
  const sizing = subProgress(control, DRAWING_SHARE, 1);
  return {
    ...picture,
    companions: await createRenditions(deps, { path: made, folder: many }, picture.width, sizing),
  };
};

/** Keeps a PDF unchanged. Other files may be a picture of tickets; its companion PDF is the file that the visitor saves. */
const makeTickets: Converter = async (deps, path, { made, beside: companionPath }, control) => {
  const { mediaWorker } = deps;
  const pdf = await mediaWorker.run({ task: 'tickets', path }, control);
  if ('tickets' in pdf) return { path, ...PDF, warnings: [], companions: [] };
  if ('refused' in pdf && pdf.refused !== 'unknown') return refuse(fileRefusalFor(pdf.refused, 'tickets'));
  const runTask = taskRunner(deps, 'tickets', control);
  const picture = await makePicture(runTask, { path, output: made, use: 'tickets' });
  if (isRefused(picture)) return picture;
  const parts = [{ path: made, kind: ticketKind(picture) }];
  const page = await runTask({ task: 'join', parts, output: companionPath });
  return isRefused(page) ? page : { ...picture, companions: [{ kind: 'pdf', path: companionPath }] };
};

const CONVERTERS: Record<MediaKind, Converter> = {
  video: makeFilm,
  song: makeSong,
  image: makeImage,
  tickets: makeTickets,
};

const MP4 = { extension: 'mp4', content_type: 'video/mp4' } as const;
const M4A = { extension: 'm4a', content_type: 'audio/mp4' } as const;
const MP3 = { extension: 'mp3', content_type: 'audio/mpeg' } as const;
const PDF = { extension: 'pdf', content_type: 'application/pdf' } as const;
const JPG = { extension: 'jpg', content_type: 'image/jpeg' } as const;
const PNG = { extension: 'png', content_type: 'image/png' } as const;

async function makePicture(
  runTask: RunTask,
  work: { path: string; output: string; use: 'shown' | 'tickets' },
): Promise<(ConvertedFile & { width: number }) | Refusal<FileRefusal>> {
  const drawn = await runTask({ task: 'picture', ...work });
  if (isRefused(drawn)) return drawn;
  if (!('picture' in drawn)) throw unexpected('picture');
  const type = drawn.picture.extension === 'png' ? PNG : JPG;
  return { path: work.output, ...type, width: drawn.picture.width, warnings: [], companions: [] };
}

type RunTask = (
  work: MediaTask,
) => Promise<Exclude<TaskOutcome, { refused: unknown }> | Refusal<FileRefusal>>;

/** Returns a function that runs media tasks and converts their refusals to those of this kind of file. */
function taskRunner({ mediaWorker }: MakeDeps, kind: MediaKind, control: TaskControl): RunTask {
  return async (work) => {
    const result = await mediaWorker.run(work, control);
    return 'refused' in result ? refuse(fileRefusalFor(result.refused, kind)) : result;
  };
}

const unexpected = (what: string) => new Error(`The media worker made no ${what}.`);

/** Returns the control of a part that spans these shares (0 to 1) of the whole task. */
export const subProgress = (control: TaskControl, from: number, to: number): TaskControl => ({
  ...control,
  progress: (share) => control.progress(from + (to - from) * share),
});
