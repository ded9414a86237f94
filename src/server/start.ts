import { join } from 'node:path';
import type { Logger } from 'pino';
import { type App, createApp } from './app.ts';
import { createAuth } from './auth/auth.ts';
import { loadConfiguredSecret } from './auth/secrets.ts';
import { type Clock, type ClockReadings, openClock } from './clock.ts';
import { explainFileError, prepareDataDir } from './data-dir.ts';
import { type Database, openDatabaseOrExplain } from './db/open.ts';
import type { Deps } from './deps.ts';
import type { Env } from './env.ts';
import { removeLeftovers } from './features/archive/archive.ts';
import { startBinSweeper } from './features/bin/bin.ts';
import { startHuesJob } from './features/hues/hues.ts';
import { startLightJob } from './features/light/light.ts';
import { startRetention } from './features/logs/refused-tries.ts';
import { startMediaSweeper, startReserveJob } from './features/media/sweep.ts';
import { createMetricsIfEnabled, startMetricsServer } from './features/metrics/metrics.routes.ts';
import { enqueueNotification } from './features/notifications/notifications.repo.ts';
import { startNotifier } from './features/notifications/notifier.ts';
import { startPlanBJob } from './features/plan-b/plan-b.maker.ts';
import { startReadinessJob } from './features/ready/ready.ts';
import { createSharing } from './features/sharing/sharing.ts';
import { startPicturePdfs, startTicketPages } from './features/tickets/ticket-pages.ts';
import { startProcessing, startUploadSweeper, sweepUploadsAtStart } from './features/uploads/arrivals.ts';
import { openUploads } from './features/uploads/uploads.ts';
import { startSweeper } from './features/visit/sessions.ts';
import { cookieIdOf } from './http/request-context.ts';
import { createListener, createNodeServer, listen, stopListening } from './http/server.ts';
import { keepAssets } from './http/web.ts';
import { createCertificateManager } from './https/keeper.ts';
import { openListeners } from './https/listeners.routes.ts';
import { requireSameInstall } from './identity/identity.ts';
import { createRateLimiter } from './limits/attempts.ts';
import { type LiveBus, memoryLiveBus, publishChange } from './live/bus.ts';
import { createMediaWorker } from './media-worker/worker.ts';
import { ROOT } from './place.ts';
import { openReserve, openStorage, type Reserve } from './storage/open.ts';
import { createSemaphore } from './work/semaphore.ts';

/** Concurrent attempts at codes. On PostgreSQL fewer than half of its ten connections: the rest is for visits. */
const MAX_CONCURRENT_CODES: Record<Database['kind'], number> = { postgres: 4, sqlite: 24 };

/** Output folder of the web build. */
export const WEB_ROOT = join(ROOT, 'dist/web');

/** A running server. */
export type Product = {
  /** Its address from this machine. */
  url: string;
  deps: Deps;
  app: App;
  /**
   * Stops the server: ends the event streams so that clients reconnect, aborts transfers (clients resume them), lets calls finish for up to
   * 1 s, stops the workers, closes the database.
   */
  stop(): Promise<void>;
};

type Options = {
  env: Env;
  log: Logger;
  webRoot?: string;
  /** Receives a sentence for the operator about a later event. */
  report?: (sentence: string) => void;
  /** Clock of a test. */
  now?: () => Date;
  /** Machine clocks of a test. */
  machine?: () => ClockReadings;
};

type Resources = { clock: Clock; reserve: Reserve };

/**
 * Starts the data folder, the database with its tables, the storage, the workers and the listeners. Rejects with a remedy in the message if
 * the operator can fix the cause.
 */
export async function startProduct(options: Options): Promise<Product> {
  const { env, log, webRoot = WEB_ROOT, report = () => {} } = options;
  let database: Database | null = null;
  let clock: Clock | null = null;
  try {
    prepareDataDir(env.DATA_DIR);
    const reserve = openReserve(env.DATA_DIR);
    database = await openDatabaseOrExplain(env, {
      onConnectionError: (error) => log.warn({ err: error }, 'database connection lost'),
      onFull: () => reserve.release(),
      beforeUpgrade: async (older) =>
        (await import('./features/archive/write.ts')).backupBeforeUpgrade(env)(older),
    });
    clock = await openClock(options, database);
    const storage = await openStorage(env, { alone: database.kind === 'sqlite' });
    await requireSameInstall({ ...database, env, storage });
    const deps = await createDeps({ env, log, now: clock.now, clockIsOff: clock.isOff, storage }, database);
    await sweepUploadsAtStart(deps);
    await removeLeftovers(env);
    return await serve(deps, database, { webRoot, clock, reserve, report });
  } catch (error) {
    await clock?.stop();
    await database?.close();
    throw explainFileError(error);
  }
}

/** Creates the dependencies of the features from an open database and storage. */
async function createDeps(
  base: Pick<Deps, 'env' | 'log' | 'now' | 'clockIsOff' | 'storage'>,
  database: Database,
): Promise<Deps> {
  const { db, inTransaction, kind } = database;
  const { env, log, now, storage } = base;
  const deps = {
    ...base,
    db,
    inTransaction,
    uploads: await openUploads(env, {
      arriving: storage.arriving,
      shared: kind === 'postgres' && { db, inTransaction, now, log },
    }),
    mediaWorker: createMediaWorker({ log }),
    auth: await createAuth({ env, db, inTransaction, log, now }),
    rateLimiter: createRateLimiter({ db, now, semaphore: createSemaphore(MAX_CONCURRENT_CODES[kind]) }),
    secret: await loadConfiguredSecret(env, 'encryption'),
    cookieId: cookieIdOf(await loadConfiguredSecret(env, 'auth')),
    live: await openBus(database, env, log),
    unnamedProxy: { seen: null },
    drain: { begun: false },
    certificate: await createCertificateManager({ env, log, now }),
  };
  const served = { ...deps, sharing: createSharing(deps) };
  return { ...served, metrics: await createMetricsIfEnabled(served) };
}

async function openBus(database: Database, { DATABASE_DIRECT_URL }: Env, log: Logger): Promise<LiveBus> {
  const onError = (error: unknown) => log.warn({ err: error }, 'live bus');
  if (database.kind === 'sqlite') return memoryLiveBus(onError);
  const { postgresLiveBus } = await import('./live/bus-postgres.ts');
  return postgresLiveBus({ pool: database.pool, address: DATABASE_DIRECT_URL, onError });
}

async function serve(
  deps: Deps,
  database: Database,
  { webRoot, clock, reserve, report }: Required<Pick<Options, 'webRoot' | 'report'>> & Resources,
): Promise<Product> {
  keepAssets(webRoot, deps);
  const app = createApp(deps, { webRoot });
  const scopedDeps = await depsForMachine(deps);
  const machineApp = scopedDeps === deps ? app : createApp(scopedDeps, { webRoot });
  const close = () => {
    for (const instance of new Set([app, machineApp])) instance.close();
  };
  const server = createNodeServer(scopedDeps.env, createListener(machineApp.hono, scopedDeps));
  const abandon = async (error: unknown): Promise<never> => {
    close();
    await deps.live.close();
    throw error;
  };
  const closeMetrics = await startMetricsServer(deps).catch(abandon);
  const { port, address, family } = await listen(server, scopedDeps.env).catch(async (error: unknown) => {
    await closeMetrics();
    return abandon(error);
  });
  const { certificate } = deps;
  certificate?.onChange((sentence) => {
    report(sentence);
    publishChange(deps, 'logs');
  });
  const closeListeners =
    certificate && (await openListeners(deps, certificate, createListener(app.hono, deps)));
  await deps.sharing.resume(
    async (at) => {
      const { openTunnelListener } = await import('./features/sharing/tunnel-door.ts');
      return openTunnelListener(deps, at, (env) => createTunnelApp(deps, env, webRoot));
    },
    (newAddress) => reportNewAddress(deps, newAddress),
  );
  const workers = startBackgroundJobs(deps, { clock, reserve });
  const stop = async () => {
    close();
    // In parallel, so that a slow Telegram request and running calls share the same second.
    await Promise.all([
      stopListening(server),
      closeListeners?.(),
      deps.sharing.close(),
      closeMetrics(),
      workers.stopNotifier(),
    ]);
    await workers.stop();
    await deps.mediaWorker.close();
    deps.metrics?.close();
    await deps.live.close();
    await clock.stop();
    await database.close();
  };
  let stopped: Promise<void> | undefined;
  return { url: addressOf(address, family, port), deps, app, stop: () => (stopped ??= stop()) };
}

/**
 * Restricts HOST and PORT to this machine while the server handles HTTPS itself. The administrator can enter there over HTTP even without a
 * valid certificate, with separate cookies and origins (decision 009).
 */
async function depsForMachine(deps: Deps): Promise<Deps> {
  if (deps.certificate === null) return deps;
  const env: Env = { ...deps.env, HOST: '127.0.0.1', listener: 'machine' };
  return { ...deps, env, auth: await createAuth({ ...deps, env }) };
}

/** Creates the app for requests through a tunnel: cookies and origins use its address, and registration needs the printed code. */
async function createTunnelApp(deps: Deps, env: Env, webRoot: string) {
  const SETUP_CODE = deps.auth.setupCode(new URL(env.PUBLIC_URL ?? '').host) ?? undefined;
  const scopedDeps = { ...deps, env: { ...env, SETUP_CODE }, metrics: null };
  const shared = { ...scopedDeps, auth: await createAuth(scopedDeps) };
  const app = createApp(shared, { webRoot });
  return { listener: createListener(app.hono, shared), close: () => app.close() };
}

async function reportNewAddress(deps: Deps, newAddress: string | null): Promise<void> {
  if (newAddress !== null)
    await deps.inTransaction((tx) =>
      enqueueNotification(tx, { type: 'address_changed', indirizzo: newAddress }, deps.now()),
    );
  publishChange(deps, 'ready');
}

function addressOf(address: string, family: string, port: number): string {
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${everywhere ? 'localhost' : host}:${port}`;
}

/**
 * Starts the background jobs. Running calls may still need their results during a stop, but no notification: hence `stopNotifier` is
 * separate.
 */
function startBackgroundJobs(deps: Deps, { clock, reserve }: Resources) {
  const notifier = startNotifier(deps);
  // Any change of a session may have queued a notification.
  const unsubscribe = deps.live.subscribe(() => notifier.wake());
  const stops = [
    startSweeper(deps, clock),
    ...[
      startBinSweeper,
      startMediaSweeper,
      startUploadSweeper,
      startPicturePdfs,
      startProcessing,
      startHuesJob,
      startTicketPages,
      startLightJob,
      startPlanBJob,
      startRetention,
      startReadinessJob,
    ].map((startJob) => startJob(deps)),
    startReserveJob(deps, reserve),
  ];
  return {
    stopNotifier: () => {
      unsubscribe();
      return notifier.stop();
    },
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}
