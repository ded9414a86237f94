import type { Generated, Kysely } from 'kysely';
import type { AnswerRecord } from '../../contract/admin/config.ts';
import type { SiteSettings, TokenRecord } from '../../contract/model.ts';
import type { BinKind } from '../../domain/bin.ts';
import type { ChannelName } from '../../domain/channels.ts';
import type { Dress, PerField, Questions } from '../../domain/configuration.ts';

/**
 * The stored tables (spec 3). Timestamps are ISO 8601 text in UTC; JSON is text and validated when read; booleans are booleans on both
 * databases. better-auth's tables (`user`, `session`, `account`, `verification`) are not listed.
 */
export type Tables = {
  admin_config: AdminConfigTable;
  checkbox_questions: CheckboxQuestionsTable;
  checkbox_responses: CheckboxResponsesTable;
  tokens: TokensTable;
  active_sessions: ActiveSessionsTable;
  visit_snapshots: VisitSnapshotsTable;
  event_logs: EventLogsTable;
  access_logs: AccessLogsTable;
  media: MediaTable;
  media_orphans: MediaOrphansTable;
  upload_leases: UploadLeasesTable;
  videos: VideosTable;
  biglietti: BigliettiTable;
  immagini_destinazione: ImmaginiDestinazioneTable;
  notifications: NotificationsTable;
  rate_limits: RateLimitsTable;
  refused_tries_by_day: RefusedTriesByDayTable;
  visits_by_day: VisitsByDayTable;
  rehearsal_pass: RehearsalPassTable;
  diagnosis_passes: DiagnosisPassesTable;
  diagnoses: DiagnosesTable;
  keepsakes: KeepsakesTable;
  rehearsals_seen: RehearsalsSeenTable;
  ready_tries: ReadyTriesTable;
  ready_watch: ReadyWatchTable;
  plans_b: PlansBTable;
  plan_b_passes: PlanBPassesTable;
  bin: BinTable;
  install_identity: InstallIdentityTable;
};

/** The database or a transaction; first parameter of all repository functions. */
export type Db = Kysely<Tables>;

/** Column type per kind of configuration field: lists and closing phrases are JSON. */
type ConfigurationColumns = PerField<{
  name: string | null;
  dress: Generated<Dress>;
  switch: Generated<boolean>;
  optionalSwitch: Generated<boolean | null>;
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

/** The bot token and the mail server's password are encrypted; only the notifier decrypts them. */
type SiteSettingsColumns = { [F in keyof SiteSettings]: Generated<SiteSettings[F]> };

/** One row, `id` = 1. `versione` increases with every save. */
export type AdminConfigTable = ConfigurationColumns &
  SiteSettingsColumns & {
    id: number;
    versione: number;
    updated_at: string;
  };

/** One row, `id` = 1. */
export type CheckboxQuestionsTable = Questions & {
  id: number;
  /** Increases with every save. */
  versione: Generated<number>;
};

/** At most one row per session and trip; never changed. */
export type CheckboxResponsesTable = Omit<AnswerRecord, 'domanda_1' | 'domanda_2'>;

/** `normalized`: `normalizeCode(token)`, unique. */
export type TokensTable = TokenRecord & { normalized: string };

/** A visit. `token_id` stays after the code is deleted, so that history remains readable. */
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
  /** Created by the browser for one entry; unique. */
  attempt_id: string;
  /** Hash of the snapshot at the start of the visit. */
  snapshot_hash: string;
  /** The furthest position reached. */
  step: Generated<number>;
  phrase: Generated<number>;
  second: Generated<number>;
  /** Time since when the page has been hidden, or null. */
  background_at: string | null;
  /** Set when the evening is over: it can't be resumed. */
  completed_at: string | null;
  exit_point: string | null;
  /** Sequence number of the last exit report, so that a repeated one changes nothing. */
  exit_seq: Generated<number>;
  /** Errors reported by the page (at most 5 are forwarded). */
  reported_errors: Generated<number>;
  /** Id of the latest page load; null if the page sends none. */
  life: string | null;
  /** Tunnel address of the last entry; null without a tunnel. */
  tunnel_address: string | null;
  /** Ids of ended page loads, the latest last, separated by spaces. */
  left_lives: Generated<string>;
  /** Capabilities of the browser that entered: names of the domain's `CAPABILITIES`, separated by spaces; null if not sent. */
  capabilities: string | null;
  /** Unread: true for a visit on a phone with a stored sealed evening. Dropped in the next release. */
  piano_b: Generated<boolean>;
};

/** Snapshots of visits, each stored once: `body` is JSON of the domain's `Snapshot`, `hash` its SHA-256 in hex. */
export type VisitSnapshotsTable = { hash: string; body: string };

/** Queue of messages to the administrator: one row per configured channel. */
export type NotificationsTable = {
  id: string;
  /** Channel of the message. If none is configured it is Telegram, until another one is. */
  channel: Generated<ChannelName>;
  /** Shared by all rows of one notice; null for rows older than channels. */
  notice: string | null;
  /** access, access_exceeded, error, checkbox_response (spec 7). */
  type: string;
  /** Order of sending: 0 answers, 1 the rest, 2 failed entries, 3 guesses (both merged into one message). */
  priority: number;
  /** JSON: body defined by the spec. */
  payload: string;
  attempts: number;
  /** Earliest time of the next attempt; during an attempt, the end of the sender's lease. */
  next_attempt_at: string;
  /** Id of the attempt that holds or held the row; one message may contain several rows. */
  claim: string | null;
  sent_at: string | null;
  last_error: string | null;
  /** Sent once without a confirmation: the next message mentions it. */
  uncertain: boolean;
  /** Visit of a message that is withdrawn when the visitor returns. */
  session_id: string | null;
  created_at: string;
};

/** A finished visit on a device that may show it again: at most one row per session. */
export type KeepsakesTable = {
  session_id: string;
  /** SHA-256 of the device's cookie, hex; unique. */
  cookie_hash: string;
  given_at: string;
  /** End of the access after the code was typed again. */
  open_until: string | null;
  /** The visitor's reply and its time. */
  reply: string | null;
  replied_at: string | null;
};

/** Tables of events and their counts. */

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

/**
 * Temporary counters: `key` is the name, `points` the count. For failures (`try:…`) `resets_at` is the time when all have expired
 * (`domain/access.ts`); for other keys see their owners, for example the notifier.
 */
export type RateLimitsTable = { key: string; points: number; resets_at: string };

/** Number of refused attempts whose rows were removed. `giorno`: `YYYY-MM-DD` in Italy. */
export type RefusedTriesByDayTable = { giorno: string; tentativi: number };

/**
 * Successful entries (rows of `access_logs`) and started visits (rows of `active_sessions`) per Italian day. Updated with each row, so that
 * no query counts the rows.
 */
export type VisitsByDayTable = { giorno: string; accessi: number; visite: number };

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

/** Tables of the preparation: rehearsal, phone test, readiness, sealed evening, bin and identity. */

/** At most one row, `id` = 1: the valid rehearsal pass. The pass itself isn't stored. */
export type RehearsalPassTable = {
  id: number;
  /** Increases with every pass; only a pass signed with this number is valid. */
  generation: number;
  /** Expiry; null after the rehearsal was closed. */
  scadenza: string | null;
};

/** Valid passes for the diagnosis of a phone. `id` is the number in the signed pass, `nome` the phone's owner. Passes aren't stored. */
export type DiagnosisPassesTable = { id: number; nome: string; scadenza: string };

/** Findings per phone. `id` is generated by the phone, `findings` is JSON: the domain's `Findings`. */
export type DiagnosesTable = { id: string; nome: string; at: string; user_agent: string; findings: string };

/** A completed rehearsal: where, when, and of which evening (`version`, a hash of its visible content). */
export type RehearsalsSeenTable = {
  id: string;
  at: string;
  user_agent: string;
  phone: boolean;
  version: string;
};

/** Results of probes: `id` names the probe, `found` is JSON. */
export type ReadyTriesTable = { id: string; found: string; at: string };

/** At most one row, `id` = 1: state of the readiness checks. Times are ISO 8601. */
export type ReadyWatchTable = {
  id: number;
  /** Time of the last complete run. */
  asked_at: string | null;
  /** Time of the last scheduled run that was done. */
  watched_at: string;
  /** Time of a requested run. */
  wanted_at: string | null;
  /** End of the current run's claim; steps done and in total. */
  asking_until: string | null;
  done: number;
  total: number;
  /** JSON: problems found by the last scheduled run; null before it. */
  told: string | null;
};

/** A requested sealed evening; its result is null until it is made. At most two rows: the current one and a requested one. */
export type PlansBTable = {
  id: string;
  wanted_at: string;
  made_at: Generated<string | null>;
  /** SHA-256 of all its content, hex. */
  made_of: Generated<string | null>;
  /** Id of the stored file. */
  file: Generated<string | null>;
  /** Size of the file in bytes. */
  size: Generated<number | null>;
  /** Reason of a failure: the domain's `PlanBFailure`. */
  failed: Generated<string | null>;
};

/** Unread: phones with a stored sealed evening. Dropped in the next release. */
export type PlanBPassesTable = {
  id: number;
  nome: string;
  scadenza: string;
  seen_at: Generated<string | null>;
  user_agent: Generated<string>;
  keeps: Generated<string | null>;
};

/** A deleted item that can be restored. */
export type BinTable = {
  id: string;
  kind: BinKind;
  /** Its slot, list or field; null for a code. */
  place: string | null;
  /** Its name, or the text itself. */
  name: string;
  /** JSON: data for restoring it. */
  payload: string;
  /** JSON: ids of the files retained for it. */
  media: string;
  deleted_at: string;
};

/** At most one row, `id` = 1: identity by which the nodes of one database recognize each other (decision 080). */
export type InstallIdentityTable = {
  id: number;
  /** Random. */
  install: string;
  /** Fingerprint of the secrets, hex. */
  secrets: string;
  /** Id stored in the storage; null until a node has stored it there. */
  storage: string | null;
};
