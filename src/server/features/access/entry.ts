import type { Capability, Visit } from '../../../contract/visit.ts';
import type { AccessVerdict } from '../../../domain/access.ts';
import type { Db } from '../../db/tables.ts';
import type { Connection } from '../../limits/attempts.ts';
import type { Refusal } from '../../refused.ts';
import type { PageLoadId } from '../visit/page-life.ts';

/** Transaction and time of an attempt. `key` derives the visitors' cookie secrets. */
export type EntryContext = { tx: Db; key: Buffer; now: Date };

/** A typed code and its origin. */
export type CodeAttempt = {
  /** As typed, not normalized. */
  token: string;
  device_id: string;
  /** IP address; stored only as a keyed hash. */
  address: string;
  /** At most 500 characters; truncated when the request is read. */
  user_agent: string;
  connection?: Connection;
};

/** A request to enter. */
export type Attempt = CodeAttempt & {
  attempt_id: string;
  /** Secret in the visitor cookie, if the browser has one. */
  visit_secret: string | null;
  /** Address of the tunnel that the request came through; null without a tunnel. */
  tunnel_address?: string | null;
  /** Id of the page load that sent the code. */
  life?: PageLoadId;
  /** Capabilities that the browser reports. */
  capabilities?: readonly Capability[] | undefined;
};

/** An admitted entry. `secret` is the cookie's value; `spent` is true if it consumed a use of the code. */
export type EntryGranted = {
  session_id: string;
  token_id: string;
  token_value: string;
  resumed: boolean;
  spent: boolean;
  visit: Visit;
  secret: string;
};

/** Codes of refused entries. */
export type EntryCode =
  | Exclude<AccessVerdict, 'ok'>
  | 'CODE_EMPTY'
  | 'TOO_MANY_ATTEMPTS'
  | 'ATTEMPT_CONFLICT'
  | 'SITE_CLOSED'
  | 'TOO_EARLY'
  | 'CONFIG_MISSING'
  | 'VIDEO_MISSING';

/** A denied entry. `token_value` is the stored code, or the typed one if it is unknown. */
export type EntryDenied<C extends EntryCode = EntryCode> = Refusal<C> & {
  token_id: string | null;
  token_value: string;
};
