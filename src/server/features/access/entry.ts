import type { Visit } from '../../../contract/visit.ts';
import type { DeniedReason } from '../../../domain/access.ts';
import type { Capability } from '../../../domain/capabilities.ts';
import type { Db } from '../../db/tables.ts';
import type { Connection } from '../../limits/attempts.ts';
import type { PageLoadId } from '../visit/page-life.ts';

/** Where a code is tried: in a transaction, at a moment. `key` makes the visitors' secrets. */
export type EntryContext = { tx: Db; key: Buffer; now: Date };

/** A code, and where it comes from. */
export type CodeAttempt = {
  /** As it was typed. */
  token: string;
  device_id: string;
  /** Of the network; never stored as it is. */
  address: string;
  /** At most 500 signs: cut where the request is read. */
  user_agent: string;
  connection?: Connection;
};

/** Somebody at the door. */
export type Attempt = CodeAttempt & {
  attempt_id: string;
  /** The visitor cookie, if the browser has one. */
  visit_secret: string | null;
  /** The address of the tunnel that it came through; null where it came another way. */
  tunnel_address?: string | null;
  /** Of the page with the code. */
  life?: PageLoadId;
  /** What the browser says it can do. */
  capabilities?: readonly Capability[] | undefined;
};

/** Let in. `secret` goes into the cookie; `spent`: a use of the code was. */
export type EntryGranted = {
  session_id: string;
  token_id: string;
  token_value: string;
  resumed: boolean;
  spent: boolean;
  visit: Visit;
  secret: string;
};

/** Not let in. `token_value` is the code, or what was typed in its place; `opens_at` the moment before which nobody is. */
export type EntryDenied<D extends DeniedReason = DeniedReason> = {
  denied: D;
  token_id: string | null;
  token_value: string;
  opens_at?: string;
};
