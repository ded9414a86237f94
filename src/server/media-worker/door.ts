import { z } from 'zod';
import { PAGE_FINDINGS } from '../../domain/media.ts';
import { PICTURE_FORMATS } from '../../domain/pictures.ts';

/**
 * Messages between the server and the media worker process. Nothing else crosses this boundary. Files are passed by path, never their
 * bytes.
 */

/** Reasons why a file can't be used; uploading it again won't help. */
export const FILE_PROBLEMS = [
  /** No bytes. */
  'empty',
  /** Not a supported kind of file (`av/files.ts`, `pictures/read.ts`). */
  'unknown',
  /** A drawing as text, which may contain scripts. */
  'svg',
  /** Encrypted: FairPlay, Widevine, `cenc`. */
  'protected',
  /** A PDF that requires a password. */
  'locked',
  /** A pass for a phone's wallet (`.pkpass`). */
  'wallet_pass',
  /** A film without moving pictures. */
  'no_picture',
  /** A song without sound. */
  'no_sound',
  /** There is no decoder for its picture or sound. */
  'undecodable',
  /** The file ends before its own index does. */
  'cut_short',
  /** Its metadata is contradictory, or nothing could be decoded. */
  'damaged',
  /** Longer, or with more pixels, than the limits. */
  'too_long',
  'too_large',
  /** The worker crashed, ran out of memory or stalled. */
  'killed',
  'memory',
  'stalled',
] as const;
export type FileProblem = (typeof FILE_PROBLEMS)[number];

/** A film or song: its duration in seconds, measured from its packets, not its headers. */
const seenSchema = z.object({ duration: z.number() });
export type ProbeResult = z.infer<typeof seenSchema>;

/** A written film, song or poster. */
const madeSchema = z.object({
  duration: z.number(),
  width: z.int(),
  height: z.int(),
  /** True for tracks that were copied bit for bit. */
  kept: z.object({ picture: z.boolean(), sound: z.boolean() }),
  hasSound: z.boolean(),
  extension: z.enum(['mp4', 'm4a', 'mp3', 'jpg']),
  /** Integrated loudness by EBU R128, in LUFS. null if silent, without sound or not measurable. */
  loudness: z.number().nullable(),
});
export type MediaResult = z.infer<typeof madeSchema>;

/** Tickets as one PDF. */
const ticketsSchema = z.object({
  pages: z.int().min(1),
  /** True if the uploaded file is used unchanged and nothing was written. */
  kept: z.boolean(),
  /** True if its pages can be joined with others. Some PDFs open in every viewer but can't be copied from. */
  joins: z.boolean(),
});
export type TicketsResult = z.infer<typeof ticketsSchema>;

/** Finding of each drawn page, in order; null for none. */
const pagesSchema = z.array(z.enum(PAGE_FINDINGS).nullable());
export type DrawnPages = z.infer<typeof pagesSchema>;

/** A written picture; sides in pixels. */
const madePictureSchema = z.object({ width: z.int(), height: z.int(), extension: z.enum(['jpg', 'png']) });
export type PictureResult = z.infer<typeof madePictureSchema>;

/** One size and format of a picture; sides in pixels, `file` relative to the folder. */
const renditionSchema = z.object({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  format: z.enum(PICTURE_FORMATS),
  bytes: z.int(),
});
export type RenditionResult = z.infer<typeof renditionSchema>;

/** Up to two hues of a picture (`#rrggbb`), the larger first; empty if it is grey. */
const huesSchema = z.array(z.string());

/** Use of a picture: to be looked at, or to be read (tickets), where every letter counts. */
export type PictureUse = 'shown' | 'tickets';

/** A part of a joined PDF; a picture is a stored one. */
export type TicketPart = { path: string; kind: 'pdf' | 'jpg' | 'png' };

/** A task of the media worker. */
export type MediaTask =
  /** Reports the file's properties and writes nothing. */
  | { task: 'probe'; kind: 'film' | 'song'; path: string }
  /** Converts a film for all phones: H.264 and AAC in an MP4 with the index first. */
  | { task: 'film'; path: string; output: string }
  /** Makes a smaller version of a converted film for slow connections, with the same timestamps. */
  | { task: 'light'; path: string; output: string }
  /** Makes a song from a song or a film's sound: AAC in an MP4, or MP3 if the source is MP3. */
  | { task: 'song'; path: string; output: string }
  /** Draws a picture of a film as a JPEG, at this second or soon after. */
  | { task: 'poster'; path: string; output: string; second: number }
  /** Decodes a stored file completely and writes nothing. A PDF is checked by `tickets` instead. */
  | { task: 'whole'; kind: 'sounding' | 'picture'; path: string }
  /** Checks that a PDF opens without a password. Writes nothing. */
  | { task: 'tickets'; path: string }
  /** Draws the pages of a PDF as WebP into an existing folder: `page-1` and `page-1-small`, `page-2`, … */
  | { task: 'pages'; path: string; folder: string }
  /** Joins the parts into one PDF, in order. `locked` if one opens without a password but can't be decrypted. */
  | { task: 'join'; parts: readonly TicketPart[]; output: string }
  /** Makes a JPEG or PNG from a picture of any supported kind. */
  | { task: 'picture'; path: string; output: string; use: PictureUse }
  /** Writes the sizes and formats that phones need of a stored picture into an existing folder. */
  | { task: 'renditions'; path: string; folder: string }
  /** Finds the hues of a stored picture. */
  | { task: 'hues'; path: string };

export function inputPaths(work: MediaTask): string[] {
  return work.task === 'join' ? work.parts.map((part) => part.path) : [work.path];
}

/** Message to the child. */
export type TaskMessage = { id: number; work: MediaTask };

/** Error code if this machine has no FFmpeg. */
export const NO_FFMPEG = 'NO_FFMPEG';

/** Result of a task in the child. `failed`: a fault of the machine, not of the file, with a code such as ENOSPC if there is one. */
const endSchema = z.union([
  z.object({ seen: seenSchema }),
  z.object({ output: madeSchema }),
  z.object({ tickets: ticketsSchema }),
  z.object({ pages: pagesSchema }),
  z.object({ picture: madePictureSchema }),
  z.object({ renditions: z.array(renditionSchema) }),
  z.object({ hues: huesSchema }),
  z.object({ whole: z.literal(true) }),
  z.object({ refused: z.enum(FILE_PROBLEMS) }),
  z.object({ failed: z.string(), code: z.string().nullable() }),
]);
export type TaskResult = z.infer<typeof endSchema>;

/**
 * Message from the child. `done` counts units read, decoded and written. It only grows; if it stops, the child is ended. `share`:
 * progress, 0 to 1. `megapixels`, `seconds`: expected work, null until known. `memory`: bytes held at the end.
 */
export const workerMessageSchema = z.union([
  z.object({ id: z.int(), end: endSchema, memory: z.number() }),
  z.object({
    id: z.int(),
    done: z.number(),
    share: z.number(),
    megapixels: z.number().nullable(),
    seconds: z.number().nullable(),
  }),
]);
export type WorkerMessage = z.infer<typeof workerMessageSchema>;
