import type { Generated, Kysely } from 'kysely';
import type { ChannelName, SmtpSecurity } from '../../domain/channels.ts';
import type { PerField, Questions } from '../../domain/configuration.ts';
import type { Viaggio } from '../../domain/content.ts';
import type { Dress } from '../../domain/dresses.ts';
import type {
  AccessLogsTable,
  EventLogsTable,
  RateLimitsTable,
  RefusedTriesByDayTable,
  VisitsByDayTable,
} from './log-tables.ts';
import type {
  BigliettiTable,
  ImmaginiDestinazioneTable,
  MediaOrphansTable,
  MediaTable,
  UploadLeasesTable,
  VideosTable,
} from './media-tables.ts';
import type {
  BinTable,
  DiagnosesTable,
  DiagnosisPassesTable,
  InstallIdentityTable,
  PlanBPassesTable,
  PlansBTable,
  ReadyTriesTable,
  ReadyWatchTable,
  RehearsalPassTable,
  RehearsalsSeenTable,
} from './workshop-tables.ts';

/**
 * The tables as they are stored (spec 3). Timestamps are ISO 8601 text in UTC; JSON is text and is checked by a schema when it is read;
 * booleans are booleans on both databases. better-auth's tables (`user`, `session`, `account`, `verification`) belong to it and are not
 * listed.
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

/** The database or a transaction of it: what every repository function takes first. */
export type Db = Kysely<Tables>;

/** How a field of the configuration is stored, by its kind: lists and closing phrases are JSON. */
type ConfigurationColumns = PerField<{
  name: string | null;
  dress: Generated<Dress>;
  switch: Generated<boolean>;
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
  /** ISO 8601 in UTC; before it no code opens (decision 062). */
  opens_at: Generated<string | null>;
  /** `YYYY-MM-DD`, the last day of the keepsake; null: there is none. */
  keepsake_until: string | null;
  /** «Informativa» on the access screen, plain text; null: there is none. */
  privacy_notice: Generated<string | null>;
  /** Days that refused tries stay in the logs. */
  tries_kept_days: Generated<number>;
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
  viaggio: Viaggio;
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
  /** Of what the visit began with. */
  snapshot_hash: string;
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
  /** Under which tunnel's address it was last let in; null where it came by another one. */
  tunnel_address: string | null;
  /** The lives that have said farewell, the latest last, with blanks between. */
  left_lives: Generated<string>;
  /** What the browser that entered can do: names of the domain's `CAPABILITIES`, with blanks between; null where it didn't say. */
  capabilities: string | null;
  /** Unread: true of a visit on a phone that kept the sealed evening. Dropped in the next release. */
  piano_b: Generated<boolean>;
};

/** What visits began with, each once: `body` is JSON of the domain's `Snapshot`, `hash` its SHA-256 in hex. */
export type VisitSnapshotsTable = { hash: string; body: string };

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

/** A visit that was finished on a device that may come back to it: at most one row per session. */
export type KeepsakesTable = {
  session_id: string;
  /** SHA-256 of the device's cookie, hex; unique. */
  cookie_hash: string;
  given_at: string;
  /** The code was typed again: it is open until then. */
  open_until: string | null;
  /** What she wrote back, and when. */
  reply: string | null;
  replied_at: string | null;
};
