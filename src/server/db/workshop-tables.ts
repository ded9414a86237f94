import type { Generated } from 'kysely';
import type { BinKind } from '../../domain/bin.ts';

/** What whoever prepares the evening leaves behind while trying it, asking about it, or deleting of it; beside the tables of tables.ts. */

/** At most one row, `id` = 1: the pass for the rehearsal that is good. The pass itself is stored nowhere. */
export type RehearsalPassTable = {
  id: number;
  /** Grows with every pass; only one that was sealed with this number is good. */
  generation: number;
  /** Until when; null once it has been closed. */
  scadenza: string | null;
};

/**
 * The passes for the trial of a phone that are good. `id` is the number that is sealed in the pass, `nome` whose phone it is; the pass
 * itself is stored nowhere.
 */
export type DiagnosisPassesTable = { id: number; nome: string; scadenza: string };

/** What was found on a phone, one row each. `id` is drawn by the phone, `findings` JSON: the domain's `Findings`. */
export type DiagnosesTable = { id: string; nome: string; at: string; user_agent: string; findings: string };

/** A rehearsal that was seen to its end: where, when, and which evening it was (`version`, a hash of what she would have seen). */
export type RehearsalsSeenTable = {
  id: string;
  at: string;
  user_agent: string;
  phone: boolean;
  version: string;
};

/** What was found by trying: `id` says what was tried, `found` is JSON. */
export type ReadyTriesTable = { id: string; found: string; at: string };

/** At most one row, `id` = 1: who asks whether the evening is ready, and when. Instants are ISO 8601. */
export type ReadyWatchTable = {
  id: number;
  /** When everything was tried last. */
  asked_at: string | null;
  /** The trying that was due last and is done. */
  watched_at: string;
  /** Somebody wants it tried. */
  wanted_at: string | null;
  /** Somebody is at it, and has it to himself until then; what was done of how much. */
  asking_until: string | null;
  done: number;
  total: number;
  /** JSON: what was red when it was watched last; null before that. */
  told: string | null;
};

/**
 * A sealed evening that was asked for; what it was made of and into is null until it is made. There are two rows at most: the one that was
 * made, and one that is wanted.
 */
export type PlansBTable = {
  id: string;
  wanted_at: string;
  made_at: Generated<string | null>;
  /** SHA-256 of everything it was made of, hex. */
  made_of: Generated<string | null>;
  /** The id of the stored file. */
  file: Generated<string | null>;
  /** Of the file, in bytes. */
  size: Generated<number | null>;
  /** Why it could not be made: the domain's `PlanBFailure`. */
  failed: Generated<string | null>;
};

/** Unread: the phones that kept the sealed evening. Dropped in the next release. */
export type PlanBPassesTable = {
  id: number;
  nome: string;
  scadenza: string;
  seen_at: Generated<string | null>;
  user_agent: Generated<string>;
  keeps: Generated<string | null>;
};

/** What was deleted and can be taken back, one row each. */
export type BinTable = {
  id: string;
  kind: BinKind;
  /** The slot, list or field it was in; null of a code. */
  place: string | null;
  /** What it was called, or the text itself. */
  name: string;
  /** JSON: what it takes to put it back. */
  payload: string;
  /** JSON: the ids of the files whose bytes stay for it. */
  media: string;
  deleted_at: string;
};

/** At most one row, `id` = 1: what the nodes of one database know each other by (decision 090). */
export type InstallIdentityTable = {
  id: number;
  /** Random. */
  install: string;
  /** A fingerprint of the secrets, hex. */
  secrets: string;
  /** What lies in the storage; null until a node has put it there. */
  storage: string | null;
};
