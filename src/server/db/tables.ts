import type { Generated, Kysely } from 'kysely';
import type { ChannelName, SmtpSecurity } from '../../domain/channels.ts';
import type { PerField, Questions } from '../../domain/configuration.ts';

/**
 * The tables as they are stored (spec 3). Timestamps are ISO 8601 text in UTC; JSON is text and is checked by a schema when it is read;
 * booleans are booleans on both databases. better-auth's tables (`user`, `session`, `account`, `verification`) belong to it and are not listed.
 */
export type Tables = {
  admin_config: AdminConfigTable;
  checkbox_questions: CheckboxQuestionsTable;
  checkbox_responses: CheckboxResponsesTable;
  tokens: TokensTable;
  active_sessions: ActiveSessionsTable;
  event_logs: EventLogsTable;
  access_logs: AccessLogsTable;
  media: MediaTable;
  videos: VideosTable;
  biglietti: BigliettiTable;
  immagini_destinazione: ImmaginiDestinazioneTable;
  notifications: NotificationsTable;
  rate_limits: RateLimitsTable;
  refused_tries_by_day: RefusedTriesByDayTable;
  rehearsal_pass: RehearsalPassTable;
  diagnosis_passes: DiagnosisPassesTable;
  diagnoses: DiagnosesTable;
};

/** The database or a transaction of it: what every repository function takes first. */
export type Db = Kysely<Tables>;

/** How a field of the configuration is stored, by its kind: lists and closing phrases are JSON. */
type ConfigurationColumns = PerField<{
  file: string | null;
  playbackRate: number;
  buttonText: string | null;
  phrases: string;
  closing: string | null;
  phraseSeconds: number;
  songStart: Generated<number>;
  exactLists: Generated<string>;
  date: string | null;
  title: string | null;
  imageSeconds: number;
  instructions: string | null;
}>;

/** One row, `id` = 1. `versione` grows with every save. */
export type AdminConfigTable = ConfigurationColumns & {
  id: number;
  /** Encrypted; its plain form never leaves the notifier. */
  telegram_bot_token: string | null;
  telegram_chat_id: string | null;
  /** The mail server; null while there is none. */
  smtp_host: Generated<string | null>;
  smtp_port: Generated<number>;
  smtp_security: Generated<SmtpSecurity>;
  smtp_user: Generated<string | null>;
  /** Encrypted; its plain form never leaves the notifier. */
  smtp_password: Generated<string | null>;
  email_from: Generated<string | null>;
  email_to: Generated<string | null>;
  /** The handle shown to a disconnected visitor (spec 8, {name}). */
  contatto: string | null;
  /** `YYYY-MM-DD`; the site closes 48 hours after it. */
  data_laurea: string | null;
  versione: number;
  updated_at: string;
};

/** One row, `id` = 1. */
export type CheckboxQuestionsTable = Questions & {
  id: number;
  /** Grows with every save. */
  versione: Generated<number>;
};

/** At most one row per session and trip; never changed once stored. */
export type CheckboxResponsesTable = {
  id: string;
  session_id: string;
  viaggio: number;
  token_value: string;
  risposta_1: boolean;
  risposta_2: boolean;
  created_at: string;
};

export type TokensTable = {
  id: string;
  token: string;
  /** `normalizeCode(token)`, unique. */
  normalized: string;
  nome: string;
  max_accessi: number;
  accessi_usati: number;
  scadenza: string | null;
  attivo: boolean;
  created_by: string | null;
  created_at: string;
};

/** A visit. `token_id` stays when the code is deleted, so that history can still be read. */
export type ActiveSessionsTable = {
  id: string;
  token_id: string;
  token_value: string;
  device_id: string;
  user_agent: string;
  is_active: boolean;
  started_at: string;
  last_activity: string;
  disconnected_at: string | null;
  /** user_logout, timeout, token_revoked, token_deleted. */
  disconnection_reason: string | null;
  /** SHA-256 of the visitor cookie, hex. */
  cookie_hash: string;
  /** Made by the browser for one entry; unique. */
  attempt_id: string;
  /** The configuration the visit began with: JSON of the domain's `Snapshot`. */
  snapshot: string;
  /** The furthest point reached. */
  step: number;
  phrase: number;
  second: number;
  /** Since when the page is hidden, or null. */
  background_at: string | null;
  /** Set when the evening is over: nothing can be taken up again. */
  completed_at: string | null;
  exit_point: string | null;
  /** Sequence number of the last exit report, so that a repeated one changes nothing. */
  exit_seq: number;
  /** Errors the page has reported (at most 5 are passed on). */
  reported_errors: number;
  /** The page's life that was heard last; null where the page gives none. */
  life: string | null;
  /** The lives that have said farewell, the latest last, with blanks between. */
  left_lives: Generated<string>;
  /** What the browser that entered can do: names of the domain's `CAPABILITIES`, with blanks between; null where it didn't say. */
  capabilities: string | null;
};

export type EventLogsTable = {
  id: string;
  event_type: string;
  token_id: string | null;
  token_value: string | null;
  device_id: string | null;
  user_agent: string | null;
  success: boolean;
  error_message: string | null;
  /** JSON object. */
  metadata: string;
  created_at: string;
};

export type AccessLogsTable = {
  id: string;
  token_id: string | null;
  token_value: string | null;
  success: boolean;
  error_message: string | null;
  created_at: string;
};

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
  /** The file that this one was made of by levelling its volume; it stays, so that it can come back. */
  original: string | null;
  /** JSON of a film: the sounds that it may be given (`filmSoundSchema` of the contract), as they lie in the file beside it; null where it came with one. */
  sounds: string | null;
  /** Which of them it has. */
  sound: number | null;
  /** How long it is, in seconds; null of what has no length, or came before it was noted. */
  seconds: number | null;
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
};

/** The queue of messages to the administrator: one row for each channel that was set up. */
export type NotificationsTable = {
  id: string;
  /** Which way it goes. Where nothing was set up it is Telegram, until another way is. */
  channel: Generated<ChannelName>;
  /** The same for all rows that tell the same; null of what is older than channels. */
  notice: string | null;
  /** access, access_exceeded, error, checkbox_response (spec 7). */
  type: string;
  /** What leaves first: 0 answers, 1 the rest, 2 failed entries, 3 guesses (both joined into one message). */
  priority: number;
  /** JSON: the body the spec names. */
  payload: string;
  attempts: number;
  /** Not before this; while a message is being sent, the end of the sender's lease. */
  next_attempt_at: string;
  /** The sending that holds or held the row; several rows may leave in one message. */
  claim: string | null;
  sent_at: string | null;
  last_error: string | null;
  /** It was handed over once, and no answer said whether it arrived: the next message says so. */
  uncertain: boolean;
  /** Whose visit it is about, where it is taken back when she returns. */
  session_id: string | null;
  created_at: string;
};

/**
 * What is counted for a while: `key` names it, `points` says how many. Of wrong answers (`try:…`) `resets_at` is when all are forgiven, see
 * `domain/tries.ts`; of the notifier's rows see there.
 */
export type RateLimitsTable = { key: string; points: number; resets_at: string };

/** Refused tries of which only the number is left. `giorno`: `YYYY-MM-DD` in Italy. */
export type RefusedTriesByDayTable = { giorno: string; tentativi: number };

/** At most one row, `id` = 1: the pass for the rehearsal that is good. The pass itself is stored nowhere. */
export type RehearsalPassTable = {
  id: number;
  /** Grows with every pass; only one that was sealed with this number is good. */
  generation: number;
  /** Until when; null once it has been closed. */
  scadenza: string | null;
};

/** The passes for the trial of a phone that are good. `id` is the number that is sealed in the pass, `nome` whose phone it is; the pass itself is stored nowhere. */
export type DiagnosisPassesTable = { id: number; nome: string; scadenza: string };

/** What was found on a phone, one row each. `id` is drawn by the phone, `findings` JSON: the domain's `Findings`. */
export type DiagnosesTable = { id: string; nome: string; at: string; user_agent: string; findings: string };
