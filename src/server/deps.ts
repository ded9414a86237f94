import type { Logger } from 'pino';
import type { Auth } from './auth/auth-port.ts';
import type { Db } from './db/tables.ts';
import type { Env } from './env.ts';
import type { Metrics } from './features/metrics/metrics.service.ts';
import type { Sharing } from './features/sharing/sharing.ts';
import type { Uploads } from './features/uploads/uploads.ts';
import type { Drain } from './http/drain.ts';
import type { CertificateManager } from './https/keeper.ts';
import type { RateLimiter } from './limits/attempts.ts';
import type { LiveBus } from './live/bus.ts';
import type { MediaWorker } from './media-worker/worker.ts';
import type { Storage } from './storage/storage.ts';

/**
 * The one door for writes. `work` runs in a transaction of its own as far as it can tell: what it throws undoes all it did and nothing else.
 * The promise settles after the commit is durable.
 */
export type InTransaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** What the server's features stand on; made once, in `main.ts`. */
export type Deps = {
  env: Env;
  db: Db;
  inTransaction: InTransaction;
  storage: Storage;
  /** Files on their way in. */
  uploads: Uploads;
  /** Opens what was uploaded. */
  mediaWorker: MediaWorker;
  live: LiveBus;
  auth: Auth;
  /** The proxy that requests were first seen to come through although `TRUSTED_PROXIES` doesn't name it, or null. */
  unnamedProxy: { seen: string | null };
  /** Whether it is about to stop, and still answers. */
  drain: Drain;
  /** The certificate, where the product asks for one by itself (HTTPS_DOMAIN), or null. */
  certificate: CertificateManager | null;
  /** Sharing the surprise from this computer, through a tunnel. */
  sharing: Sharing;
  /** What is measured, where somebody may ask for it (METRICS_ADDRESS, METRICS_TOKEN), or null. */
  metrics: Metrics | null;
  /** Who may try a code now. */
  rateLimiter: RateLimiter;
  /** Encrypts what must not be read in the database, and keys the hashes of addresses: `secretOf(env, 'encryption')`, read once. */
  secret: Buffer;
  /** Part of the names of this install's cookies: `cookieIdOf(secretOf(env, 'auth'))`. */
  cookieId: string;
  log: Logger;
  /** The product's time: on PostgreSQL the database's, the same for all nodes; on SQLite this machine's, without its jumps (clock.ts). */
  now: () => Date;
  /** Whether this machine's own clock is too far from that time for the node to take part. */
  clockIsOff: () => boolean;
};
