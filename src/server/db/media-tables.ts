import type { Generated } from 'kysely';

/** The tables of stored files, and of the lists in which they are offered. */

/** A stored file. Its address is `/api/media/{id}.{extension}`; `id` is 128 random bits in hex. */
export type MediaTable = {
  id: string;
  extension: string;
  content_type: string;
  size: number;
  sha256: string;
  nome: string;
  created_at: string;
  /** Set when the administrator deleted it; the bytes stay until no living visit refers to them. */
  deleted_at: string | null;
  /** JSON: what may disappoint though the file was kept (`MEDIA_WARNINGS` of the contract). */
  warnings: Generated<string>;
  /** Of its sound, in LUFS (EBU R128); null where nothing is heard, or it came before this was measured. */
  loudness: number | null;
  /** No longer written: the file that an earlier version levelled to make this one. It is deleted with this one. */
  original: string | null;
  /** Unread: the sounds that a film could be given by earlier versions, and which of them it has. */
  sounds: string | null;
  sound: number | null;
  /** How long it is, in seconds; null of what has no length, or came before it was noted. */
  seconds: number | null;
  /**
   * JSON of tickets: their drawn pages (`TicketPage` of the domain), none if they can't be drawn; null until they are drawn, and of every
   * other file.
   */
  pages: Generated<string | null>;
};

/** A stored file without a row, by its key, and when it was first seen to have none. */
export type MediaOrphansTable = { key: string; seen_at: string };

/** What one node has to itself for a while, so that no other is at it: bytes of an upload that come (`lock:…`), work on one (`work:…`). */
export type UploadLeasesTable = {
  key: string;
  /** Random, for each taking. */
  holder: string;
  /** Anybody may take it then. */
  until: string;
  /** Somebody wants the holder to leave. */
  asked: boolean;
  /** How far the work is, 0 to 1; null before it has begun. */
  progress: number | null;
};

export type VideosTable = {
  id: string;
  nome: string;
  url: string;
  poster_url: string | null;
  created_at: string;
  /** Its light version; null while there is none. */
  light_url: Generated<string | null>;
  /** The address of the file that the light version was made of, or that none was to be made of: another one's isn't known yet. */
  light_of: Generated<string | null>;
  /** made, needless, refused, or failed (then nothing is in `light_of`); null before it was tried. */
  light_state: Generated<string | null>;
  /** Is a light version wanted? */
  light_on: Generated<boolean>;
  /** How long it is; null until that is known. */
  seconds: Generated<number | null>;
  /** Its captions, a stored file of WebVTT; null where it has none. */
  captions_url: Generated<string | null>;
  /** To whom they are shown: the domain's `CaptionMode`. */
  captions_mode: Generated<string>;
  /** When the last of them ends, in seconds. */
  captions_end: Generated<number | null>;
};

/** `tipo`: pdf, image or secondo_viaggio (spec 3). */
export type BigliettiTable = { id: string; nome: string; url: string; tipo: string; created_at: string };

/** `tipo`: null or secondo_viaggio (spec 3). */
export type ImmaginiDestinazioneTable = {
  id: string;
  nome: string;
  url: string;
  tipo: string | null;
  created_at: string;
  /** The point that must stay visible, 0 to 1 from its left and from its top; both null for its middle. */
  fuoco_x: number | null;
  fuoco_y: number | null;
  /** Its hues, JSON: one or two colours (`#rrggbb`), none where it is grey; null until somebody has looked. */
  hues: Generated<string | null>;
};
