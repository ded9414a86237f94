import type { Generated } from 'kysely';

/** Tables of stored files and of the lists that offer them. */

/** A stored file. Its address is `/api/media/{id}.{extension}`; `id` is 128 random bits in hex. */
export type MediaTable = {
  id: string;
  extension: string;
  content_type: string;
  size: number;
  sha256: string;
  nome: string;
  created_at: string;
  /** Set when the administrator deletes it; the bytes stay until no current visit refers to them. */
  deleted_at: string | null;
  /** JSON: problems of an accepted file (`MEDIA_WARNINGS` of the contract). */
  warnings: Generated<string>;
  /** Loudness in LUFS (EBU R128); null if it is silent or from before this was measured. */
  loudness: number | null;
  /** No longer written: file from which an earlier version made this one by normalizing its loudness. Deleted with this one. */
  original: string | null;
  /** Unread: audio tracks that earlier versions could add to a film, and the one it has. */
  sounds: string | null;
  sound: number | null;
  /** Duration in seconds; null if it has none or is from before this was stored. */
  seconds: number | null;
  /**
   * JSON: rendered pages of a ticket (`TicketPage` of the domain), empty if they can't be rendered; null before that and for other files.
   */
  pages: Generated<string | null>;
};

/** A stored file without a row, by its key, and when it was first seen without one. */
export type MediaOrphansTable = { key: string; seen_at: string };

/** Exclusive lease of one node: for receiving an upload's bytes (`lock:…`) or working on it (`work:…`). */
export type UploadLeasesTable = {
  key: string;
  /** Random per lease. */
  holder: string;
  /** Expiry; any node may take the lease afterwards. */
  until: string;
  /** Another node requests the lease. */
  asked: boolean;
  /** Progress of the work from 0 to 1; null before it has begun. */
  progress: number | null;
};

export type VideosTable = {
  id: string;
  nome: string;
  url: string;
  poster_url: string | null;
  created_at: string;
  /** Light version; null if there is none. */
  light_url: Generated<string | null>;
  /** Address of the file for which the light version was made or found unnecessary. A different file hasn't been processed yet. */
  light_of: Generated<string | null>;
  /** made, needless, refused, or failed (`light_of` is then empty); null before the first attempt. */
  light_state: Generated<string | null>;
  /** True if a light version is wanted. */
  light_on: Generated<boolean>;
  /** Duration in seconds; null if unknown. */
  seconds: Generated<number | null>;
  /** Captions, a stored WebVTT file; null if there are none. */
  captions_url: Generated<string | null>;
  /** Viewers who see them: the domain's `CaptionMode`. */
  captions_mode: Generated<string>;
  /** End of the last caption in seconds. */
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
  /** Point that must stay visible, 0 to 1 from the left and from the top; both null for the middle. */
  fuoco_x: number | null;
  fuoco_y: number | null;
  /** JSON: one or two colours (`#rrggbb`), empty for a grey picture; null before they are computed. */
  hues: Generated<string | null>;
};
