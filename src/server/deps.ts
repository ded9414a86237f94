import type { Logger } from 'pino';
import type { Auth } from './auth/actor.ts';
import type { Db } from './db/tables.ts';
import type { Env } from './env.ts';
import type { Metrics } from './features/metrics/metrics.ts';
import type { Sharing } from './features/sharing/sharing.ts';
import type { Uploads } from './features/uploads/uploads.ts';
import type { CertificateManager } from './https/keeper.ts';
import type { RateLimiter } from './limits/attempts.ts';
import type { LiveBus } from './live/bus.ts';
import type { MediaWorker } from './media-worker/worker.ts';
import type { Storage } from './storage/storage.ts';

/**
 * Runs `work` in a separate transaction; the only way to write. If `work` throws, only its own changes are rolled back. Resolves after the
 * commit is durable.
 */
export type InTransaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** Dependencies of all features, created once at startup. */
export type Deps = {
  env: Env;
  db: Db;
  inTransaction: InTransaction;
  storage: Storage;
  /** Uploads in progress. */
  uploads: Uploads;
  /** Decodes uploaded files in a separate process. */
  mediaWorker: MediaWorker;
  live: LiveBus;
  auth: Auth;
  /** Address of the first proxy seen that `TRUSTED_PROXIES` doesn't list; null if none. */
  unnamedProxy: { seen: string | null };
  /**
   * The phase before a stop: requests are still answered, but `/readyz` reports 503 and each response closes its connection, so that a
   * proxy can switch to other nodes.
   */
  drain: { begun: boolean };
  /** The certificate that the server requests (HTTPS_DOMAIN); null if it requests none. */
  certificate: CertificateManager | null;
  /** Shares the surprise from this computer through a tunnel. */
  sharing: Sharing;
  /** Metrics; null unless METRICS_ADDRESS or METRICS_TOKEN is set. */
  metrics: Metrics | null;
  /** Limits attempts at codes and sign-in. */
  rateLimiter: RateLimiter;
  /** Encrypts sensitive database values and keys the hashes of addresses: the configured `encryption` secret, read once. */
  secret: Buffer;
  /** Part of this install's cookie names: `cookieIdOf` the configured `auth` secret. */
  cookieId: string;
  log: Logger;
  /** Returns the server's time: the database's on PostgreSQL, shared by all nodes; this machine's without jumps on SQLite (`clock.ts`). */
  now: () => Date;
  /** Returns true if this machine's clock differs too much from that time for the node to take part. */
  clockIsOff: () => boolean;
};
