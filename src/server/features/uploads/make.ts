import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type FileRefusal, type MediaWarning, WRONG_KIND_REFUSAL } from '../../../contract/admin/media.ts';
import {
  isHeavySong,
  isHeavyVideo,
  MEDIA_SLOTS,
  type MediaKind,
  type SlotName,
} from '../../../domain/media.ts';
import { renditionName } from '../../../domain/pictures.ts';
import { isDiskFull } from '../../db/errors.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { isServiceUnavailable } from '../../http/refusals.ts';
import type { FileProblem, MediaTask, TaskControl, TaskOutcome } from '../../media-worker/worker.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { ensureConfig, lockConfig, setConfig } from '../config/config.ts';
import * as library from '../media/library.repo.ts';
import { moveSongToBin } from '../media/library.ts';
import {
  type CompanionKind,
  cleanFileName,
  companionFile,
  companionId,
  fileType,
  insertMedia,
  putMedia,
  ticketKind,
} from '../media/media.ts';
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
  /** Files stored next to it. Film and picture are complete without them. */
  companions: { kind: CompanionKind; path: string }[];
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
  const film = await taskRunner(deps, 'video', control)({ task: 'film', path, output: made }, 'output');
  if (isRefused(film)) return film;
  const { duration, hasSound, loudness } = film.output;
  const second = Math.min(POSTER_SECOND, duration / 2);
  const poster = { task: 'poster', path: made, output: companionPath, second } as const;
  const drawn = await deps.mediaWorker.run(poster, control);
  const { size } = await stat(made);
  const warnings: MediaWarning[] = hasSound ? [] : ['NO_SOUND'];
  if (isHeavyVideo({ bytes: size, seconds: duration })) warnings.push('HEAVY');
  const companions = 'refused' in drawn ? [] : [{ kind: 'poster' as const, path: companionPath }];
  return { path: made, ...fileType('mp4'), warnings, loudness, seconds: duration, companions };
};

const makeSong: Converter = async (deps, path, { made }, control) => {
  const song = await taskRunner(deps, 'song', control)({ task: 'song', path, output: made }, 'output');
  if (isRefused(song)) return song;
  const { size } = await stat(made);
  const type = fileType(song.output.extension === 'mp3' ? 'mp3' : 'm4a');
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
  const sizes = { path: made, folder: many, width: picture.width };
  return { ...picture, companions: await makeRenditions(deps, sizes, sizing) };
};

/** Keeps a PDF unchanged. Other files may be a picture of tickets; its companion PDF is the file that the visitor saves. */
const makeTickets: Converter = async (deps, path, { made, beside: companionPath }, control) => {
  const { mediaWorker } = deps;
  const pdf = await mediaWorker.run({ task: 'tickets', path }, control);
  if ('tickets' in pdf) return { path, ...fileType('pdf'), warnings: [], companions: [] };
  if ('refused' in pdf && pdf.refused !== 'unknown') return refuse(fileRefusalFor(pdf.refused, 'tickets'));
  const work = { path, output: made, use: 'tickets' } as const;
  const picture = await makePicture(taskRunner(deps, 'tickets', control), work);
  if (isRefused(picture)) return picture;
  const parts = [{ path: made, kind: ticketKind(picture) }];
  const page = await mediaWorker.run({ task: 'join', parts, output: companionPath }, control);
  if ('refused' in page) return refuse(fileRefusalFor(page.refused, 'tickets'));
  return { ...picture, companions: [{ kind: 'pdf', path: companionPath }] };
};

const CONVERTERS = { video: makeFilm, song: makeSong, image: makeImage, tickets: makeTickets };

async function makePicture(
  runTask: ReturnType<typeof taskRunner>,
  work: { path: string; output: string; use: 'shown' | 'tickets' },
): Promise<(ConvertedFile & { width: number }) | Refusal<FileRefusal>> {
  const drawn = await runTask({ task: 'picture', ...work }, 'picture');
  if (isRefused(drawn)) return drawn;
  const { width, extension } = drawn.picture;
  return { path: work.output, ...fileType(extension), width, warnings: [], companions: [] };
}

/** Returns a function that runs media tasks and converts their refusals to those of this kind of file. */
function taskRunner({ mediaWorker }: MakeDeps, kind: MediaKind, control: TaskControl) {
  return async <K extends 'output' | 'picture'>(work: MediaTask, key: K) => {
    const result = await mediaWorker.run(work, control);
    if ('refused' in result) return refuse(fileRefusalFor(result.refused, kind));
    if (!(key in result)) throw new Error(`The media worker made no ${work.task}.`);
    return result as Extract<TaskOutcome, Record<K, unknown>>;
  };
}

/** Returns the control of a part that spans these shares (0 to 1) of the whole task. */
export const subProgress = (control: TaskControl, from: number, to: number): TaskControl => ({
  ...control,
  progress: (share) => control.progress(from + (to - from) * share),
});

/**
 * Creates the sizes and formats of a converted picture in a folder. Returns none if that fails: the picture is complete without them.
 * Rejects if aborted.
 * @param width width of the picture in px
 */
async function makeRenditions(
  { mediaWorker, log }: MakeDeps,
  { path, folder, width }: { path: string; folder: string; width: number },
  control: TaskControl,
): Promise<ConvertedFile['companions']> {
  try {
    await mkdir(folder, { recursive: true });
    const result = await mediaWorker.run({ task: 'renditions', path, folder }, control);
    if ('renditions' in result)
      return result.renditions.map((each) => ({
        kind: renditionName(each, width),
        path: join(folder, each.file),
      }));
    log.warn(result, 'a picture is kept without its sizes');
  } catch (error) {
    control.signal.throwIfAborted();
    log.warn({ err: error }, 'a picture is kept without its sizes');
  }
  return [];
}

const FILE_REFUSAL: Record<Exclude<FileProblem, 'unknown' | 'too_large'>, FileRefusal> = {
  empty: 'FILE_EMPTY',
  protected: 'FILE_PROTECTED',
  no_picture: 'FILE_NO_PICTURE',
  no_sound: 'FILE_NO_SOUND',
  undecodable: 'FILE_UNDECODABLE',
  cut_short: 'FILE_TRUNCATED',
  damaged: 'FILE_BROKEN',
  too_long: 'FILE_TOO_LONG',
  locked: 'FILE_PDF_LOCKED',
  wallet_pass: 'FILE_WALLET_PASS',
  svg: 'FILE_SVG',
  killed: 'FILE_TOO_HARD',
  memory: 'FILE_TOO_HARD',
  stalled: 'FILE_TOO_HARD',
};

/** Returns the refusal of a file that the media worker can't use. */
export function fileRefusalFor(problem: FileProblem, kind: MediaKind): FileRefusal {
  if (problem === 'unknown') return WRONG_KIND_REFUSAL[kind];
  if (problem === 'too_large') return kind === 'video' ? 'FILE_VIDEO_TOO_BIG' : 'FILE_IMAGE_TOO_BIG';
  return FILE_REFUSAL[problem];
}

/** Converts an error of work on stored files to a refusal. Throws unexpected errors. */
export function errorToRefusal(error: unknown): Refusal<'NOT_FOUND' | 'STORAGE_FULL' | 'UNAVAILABLE'> {
  if (error instanceof FileMissing) return refuse('NOT_FOUND');
  if (isDiskFull(error)) return refuse('STORAGE_FULL');
  if (isServiceUnavailable(error) || (error instanceof Error && error.name === 'TimeoutError'))
    return refuse('UNAVAILABLE');
  throw error;
}

/**
 * Stores a converted upload under the upload's id, so that a repeated request finds it.
 * The rows of file, companions, list and configuration (spec 7) are written in one transaction.
 * After an error the sweep removes the bytes.
 */
export async function storeConverted(
  deps: Deps,
  upload: IncomingUpload,
  good: ConvertedFile,
  control: TaskControl,
): Promise<void> {
  const { size } = await stat(good.path);
  const content = Readable.from(readThrough(good.path, size, control), { objectMode: false });
  const { row, stored } = await putMedia(deps, { ...good, nome: upload.filename, content }, upload.id);
  const companions = await Promise.all(
    good.companions.map(async ({ kind, path }) => {
      const file = { ...companionFile(kind), content: createReadStream(path) };
      return { kind, ...(await putMedia(deps, file, companionId(upload.id, kind))) };
    }),
  );
  const poster_url = companions.find(({ kind }) => kind === 'poster')?.stored.url ?? null;
  control.signal.throwIfAborted();
  await deps.inTransaction(async (tx) => {
    for (const each of [row, ...companions.map((each) => each.row)]) await insertMedia(tx, each);
    await putInPlace(tx, upload, { url: stored.url, extension: good.extension, poster_url }, deps.now());
  });
}

const CHUNK = 1024 * 1024;

async function* readThrough(
  path: string,
  size: number,
  { signal, progress }: TaskControl,
): AsyncIterable<Buffer> {
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK, signal })) {
    yield chunk as Buffer;
    read += (chunk as Buffer).length;
    progress(read / size);
  }
}

type StoredUpload = { url: string; extension: string; poster_url: string | null };

async function putInPlace(
  tx: Db,
  { slot, filename }: IncomingUpload,
  file: StoredUpload,
  now: Date,
): Promise<void> {
  await ensureConfig(tx, now);
  await lockConfig(tx);
  const becomesActive = await addToList(tx, slot, { ...file, nome: cleanFileName(filename) }, now);
  if (slot === 'canzone') await moveSongToBin(tx, now);
  const fromTheBeginning = slot === 'canzone' ? { canzone_inizio_secondi: 0 } : {};
  if (becomesActive) await setConfig(tx, { [MEDIA_SLOTS[slot].field]: file.url, ...fromTheBeginning }, now);
}

/** Adds the file to its list. Returns true if it becomes the active one; a video only if it is the first (spec 7). */
async function addToList(
  tx: Db,
  slot: SlotName,
  { nome, url, extension, poster_url }: StoredUpload & { nome: string },
  now: Date,
): Promise<boolean> {
  const { kind, viaggio } = MEDIA_SLOTS[slot];
  const row = { id: crypto.randomUUID(), nome, url, created_at: now.toISOString() };
  const second = viaggio === 2 ? library.SECOND_TRIP : null;
  if (kind === 'video') {
    const others = await library.listFiles(tx, MEDIA_SLOTS[slot]);
    await library.insertVideo(tx, { ...row, poster_url });
    return others.length === 0;
  }
  if (kind === 'image') await library.insertImage(tx, { ...row, tipo: second });
  if (kind === 'tickets')
    await library.insertTickets(tx, { ...row, tipo: second ?? (extension === 'pdf' ? 'pdf' : 'image') });
  return true;
}
