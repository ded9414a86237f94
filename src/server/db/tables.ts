import type { Generated, Kysely } from 'kysely';
import type { ChannelName, SmtpSecurity } from '../../domain/channels.ts';
import type { Dress, PerField, Questions } from '../../domain/configuration.ts';
import type { Viaggio } from '../../domain/content.ts';
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

/** One row, `id` = 1. `versione` increases with every save. */
export type AdminConfigTable = ConfigurationColumns & {
  id: number;
  /** Encrypted; only the notifier decrypts it. */
  telegram_bot_token: string | null;
  telegram_chat_id: string | null;
  /** Mail server; null if there is none. */
  smtp_host: Generated<string | null>;
  smtp_port: Generated<number>;
  smtp_security: Generated<SmtpSecurity>;
  smtp_user: Generated<string | null>;
  /** Encrypted; only the notifier decrypts it. */
  smtp_password: Generated<string | null>;
  email_from: Generated<string | null>;
  email_to: Generated<string | null>;
  /** Contact shown to a disconnected visitor (spec 8, {name}). */
  contatto: string | null;
  /** `YYYY-MM-DD`; the site closes 48 hours after it. */
  data_laurea: string | null;
  /** ISO 8601 in UTC; no code is accepted before it (decision 004). */
  opens_at: Generated<string | null>;
  /** `YYYY-MM-DD`, last day of the keepsake; null if there is none. */
  keepsake_until: string | null;
  /** «Informativa» on the access screen, plain text; null if there is none. */
  privacy_notice: Generated<string | null>;
  /** Footer of the access screen; null for the specification's sentence, empty for none. */
  footer_text: Generated<string | null>;
  /** Message with a code, with placeholders; null for the product's text. */
  share_message: Generated<string | null>;
  /** Title of the card with a code, with placeholders; null for the product's text. */
  card_title: Generated<string | null>;
  /** Retention of refused attempts in the logs, in days. */
  tries_kept_days: Generated<number>;
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
  step: number;
  phrase: number;
  second: number;
  /** Time since when the page has been hidden, or null. */
  background_at: string | null;
  /** Set when the evening is over: it can't be resumed. */
  completed_at: string | null;
  exit_point: string | null;
  /** Sequence number of the last exit report, so that a repeated one changes nothing. */
  exit_seq: number;
  /** Errors reported by the page (at most 5 are forwarded). */
  reported_errors: number;
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
