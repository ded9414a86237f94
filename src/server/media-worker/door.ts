import { z } from 'zod';
import { PICTURE_FORMATS } from '../../domain/renditions.ts';
import { PAGE_FINDINGS } from '../../domain/ticket-pages.ts';

/**
 * What the server may ask of the media worker and what it hears back: the only things that cross between the two processes. Files are named by
 * their paths; no byte of one comes through here.
 */

/** Why a file can't be used; sending it again won't help. */
export const FILE_PROBLEMS = [
  /** No bytes. */
  'empty',
  /** None of the kinds of file that are opened (`formats.ts`, `pictures/kind.ts`). */
  'unknown',
  /** A drawing in text, which may do more than be looked at. */
  'svg',
  /** Encrypted: FairPlay, Widevine, `cenc`. */
  'protected',
  /** A PDF that asks for a password. */
  'locked',
  /** A pass of a phone's wallet (`.pkpass`). */
  'wallet_pass',
  /** A film without a picture that moves. */
  'no_picture',
  /** A song without sound. */
  'no_sound',
  /** Nothing here decodes what its picture or its sound is made of. */
  'undecodable',
  /** It ends before its own index does. */
  'cut_short',
  /** What it says of itself doesn't hold together, or nothing of it could be decoded. */
  'damaged',
  /** Longer, or of more pixels, than anything an evening shows. */
  'too_long',
  'too_large',
  /** The worker died of it, needed too much memory, or didn't end. */
  'killed',
  'memory',
  'stalled',
] as const;
export type FileProblem = (typeof FILE_PROBLEMS)[number];

/** A film or a song, as its packets tell it: never as its headers do. */
const seenSchema = z.object({
  container: z.string(),
  /** Seconds from its first moment to its last. */
  duration: z.number(),
  /** Of the picture as it is shown: upright, in square pixels. Null for a song. */
  picture: z.object({ codec: z.string(), width: z.int(), height: z.int(), hdr: z.boolean() }).nullable(),
  /** Will picture and sound be taken over as they are? */
  keeps: z.object({ picture: z.boolean(), sound: z.boolean() }),
  /** Pictures to be decoded, in megapixels: how much work it is to make it anew. */
  megapixels: z.number(),
});
export type ProbeResult = z.infer<typeof seenSchema>;

/** A file that was made. */
const madeSchema = z.object({
  duration: z.number(),
  width: z.int(),
  height: z.int(),
  /** Taken over bit for bit? */
  kept: z.object({ picture: z.boolean(), sound: z.boolean() }),
  hasSound: z.boolean(),
  extension: z.enum(['mp4', 'm4a', 'mp3', 'jpg']),
  /** Of its sound as a whole, by EBU R128, in LUFS. Null for silence and where there is none. */
  loudness: z.number().nullable(),
});
export type MediaResult = z.infer<typeof madeSchema>;

/** Tickets as one PDF. */
const ticketsSchema = z.object({
  pages: z.int().min(1),
  /** Is it the very file that came? Then nothing was written. */
  kept: z.boolean(),
  /** Can its pages be joined with others? Some that every viewer opens can't be copied from. */
  joins: z.boolean(),
});
export type TicketsResult = z.infer<typeof ticketsSchema>;

/** The finding of each drawn page, in order. */
const pagesSchema = z.array(z.enum(PAGE_FINDINGS).nullable());
export type DrawnPages = z.infer<typeof pagesSchema>;

/** A picture that was made; its sides in pixels. */
const madePictureSchema = z.object({ width: z.int(), height: z.int(), extension: z.enum(['jpg', 'png']) });
export type PictureResult = z.infer<typeof madePictureSchema>;

/** One of the sizes and formats of a picture; its sides in pixels, its name in the folder. */
const renditionSchema = z.object({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  format: z.enum(PICTURE_FORMATS),
  bytes: z.int(),
});
export type RenditionResult = z.infer<typeof renditionSchema>;

/** The one or two hues of a picture (`#rrggbb`), the larger first; none where it is grey. */
const huesSchema = z.array(z.string());

/** What a picture is for: to be looked at, or to be read (tickets), where every letter counts. */
const pictureUse = z.enum(['shown', 'tickets']);
export type PictureUse = z.infer<typeof pictureUse>;

const path = z.string().min(1);

/** A file of those that become one PDF; pictures as they are stored. */
const ticketPart = z.object({ path, kind: z.enum(['pdf', 'jpg', 'png']) });
export type TicketPart = z.infer<typeof ticketPart>;

/** Decodes a stored file from its first byte to its last; nothing is made. A PDF is tried as tickets are. */
const wholeWork = z.object({ task: z.literal('whole'), kind: z.enum(['sounding', 'picture']), path });

/** One piece of work. */
export const mediaTaskSchema = z.discriminatedUnion('task', [
  /** What is it? */
  z.object({ task: z.literal('probe'), kind: z.enum(['film', 'song']), path }),
  /** Makes a film for every phone of it: H.264 and AAC in an MP4 whose index comes first. */
  z.object({ task: z.literal('film'), path, output: path }),
  /** Makes of a film that was made a smaller one, for a slow line: the same moments, in fewer bytes. */
  z.object({ task: z.literal('light'), path, output: path }),
  /** Makes a song of it, or of a film's sound: AAC in an MP4, or MP3 where it is that. */
  z.object({ task: z.literal('song'), path, output: path }),
  /** Draws one of its pictures as a JPEG, at this second or soon after. */
  z.object({ task: z.literal('poster'), path, output: path, second: z.number().min(0) }),
  wholeWork,
  /** Is it a PDF that can be opened without a password? It stays as it is. */
  z.object({ task: z.literal('tickets'), path }),
  /** Draws the pages of a PDF as WebP into an existing folder: `page-1` and `page-1-small`, `page-2`, … */
  z.object({ task: z.literal('pages'), path, folder: path }),
  /** Makes one PDF of them, in their order. `locked` where one opens without a password and still can't be decrypted. */
  z.object({ task: z.literal('join'), parts: z.array(ticketPart).min(1), output: path }),
  /** Makes a JPEG or PNG of a picture of any kind. */
  z.object({ task: z.literal('picture'), path, output: path, use: pictureUse }),
  /** Writes the sizes and formats that a phone needs of a picture that was made, into a folder that is there. */
  z.object({ task: z.literal('renditions'), path, folder: path }),
  /** Which hues has a picture that was made? */
  z.object({ task: z.literal('hues'), path }),
]);
export type MediaTask = z.infer<typeof mediaTaskSchema>;

/** The files that are read. */
export function inputPaths(work: MediaTask): string[] {
  return work.task === 'join' ? work.parts.map((part) => part.path) : [work.path];
}

/** What the child is told. */
export const taskMessageSchema = z.object({ id: z.int(), work: mediaTaskSchema });
export type TaskMessage = z.infer<typeof taskMessageSchema>;

/** Error code if this machine has no FFmpeg. */
export const NO_FFMPEG = 'NO_FFMPEG';

/** How a piece of work ended in the child. `failed`: of the machine and not of the file; a code such as ENOSPC where there is one. */
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
 * What the child says. `done` counts what was really read, decoded and written, and only ever grows: who doesn't hear it grow ends the child.
 * `share`: how far it is, 0 to 1. `megapixels` and `seconds`: what the work will take, once known. `memory`: the bytes that
 * it holds at the end.
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
