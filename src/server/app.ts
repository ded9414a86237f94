import { Hono } from 'hono';
import { parseDress } from '../domain/configuration.ts';
import { reachOf } from '../domain/reach.ts';
import { me, registration, requireAdmin } from './auth/actor.ts';
import { AUTH_ROUTES, type AuthPath } from './auth/better-auth.ts';
import type { Deps } from './deps.ts';
import { enterCall } from './features/access/enter.ts';
import { siteAddressCalls } from './features/address/address.ts';
import { archiveCalls, archiveEndpoints, restoreCalls } from './features/archive/archive.ts';
import { binCalls } from './features/bin/bin.ts';
import { captionsCalls } from './features/captions/captions.ts';
import { findSiteSettings } from './features/config/config.ts';
import { configCalls } from './features/config/settings.ts';
import { dashboardCall } from './features/dashboard/dashboard.ts';
import { adminDiagnosisCalls, diagnosisCalls } from './features/diagnosis/diagnosis.ts';
import { eraseCalls } from './features/erase/erase.ts';
import { calendarEndpoint, keepsakeCalls } from './features/keepsake/keepsake.ts';
import { lightCalls } from './features/light/light.ts';
import { logsCalls, logsCsvEndpoint } from './features/logs/logs.ts';
import { mediaEndpoint } from './features/media/serve.ts';
import { metricsHandler } from './features/metrics/metrics.routes.ts';
import { notificationsCalls } from './features/notifications/settings.ts';
import { planBCalls, planBFileEndpoint } from './features/plan-b/plan-b.ts';
import { answersCalls, questionsCalls } from './features/questions/questions.ts';
import { readinessCalls } from './features/ready/ready.ts';
import {
  rehearsalCalls,
  rehearsalMediaAccess,
  rehearsalTicketsEndpoint,
} from './features/rehearsal/rehearsal.ts';
import { sessionsCalls } from './features/sessions/sessions.ts';
import { sharingCalls } from './features/sharing/sharing.ts';
import { keepsakeTicketsEndpoint, ticketsEndpoint } from './features/tickets/tickets.ts';
import { tokensCalls } from './features/tokens/tokens.ts';
import { mediaCalls } from './features/uploads/arrivals.ts';
import { uploadEndpoints } from './features/uploads/tus.ts';
import { adminEventsEndpoint, eventsEndpoint } from './features/visit/events.ts';
import { visitCalls } from './features/visit/visit.ts';
import { clientAddress, type IsTrustedProxy, trustedProxies } from './http/address.ts';
import { createApi, type Endpoint, openApiEndpoint } from './http/api.ts';
import { contractEndpoints, os } from './http/calls.ts';
import { requireKnownHost } from './http/edge.ts';
import { healthEndpoints } from './http/health.ts';
import { replyToResponse, toErrorReply } from './http/refusals.ts';
import {
  addressOf,
  type HttpContext,
  type HttpEnv,
  type Middleware,
  setRoute,
} from './http/request-context.ts';
import { createWeb, type Look } from './http/web.ts';
import { createAdminChannel } from './live/admin-channel.ts';
import { publishChange } from './live/bus.ts';
import { createConnections } from './live/connections.ts';
import { createStreams } from './live/streams.ts';
import { createTransfers } from './live/transfers.ts';

export type App = {
  hono: Hono<HttpEnv>;
  /** All endpoints under `/api`. */
  endpoints: readonly Endpoint[];
  /** Closes the event streams and aborts running downloads, lists and uploads, so that the process can stop. */
  close(): void;
};

/**
 * Creates the Hono app of the server: pages, calls, files, live channel.
 * @param webRoot folder of the built web; without it only the API answers
 */
export function createApp(deps: Deps, { webRoot }: { webRoot: string }): App {
  const { env, log } = deps;
  const liveResources = createLiveResources(deps);
  const isTrustedProxy = trustedProxies(env.TRUSTED_PROXIES);
  const health = healthEndpoints(deps);
  const endpoints = createEndpoints(deps, webRoot, liveResources);
  endpoints.push(openApiEndpoint(() => [...endpoints, ...health], deps));
  const hono = new Hono<HttpEnv>();
  hono.onError((error, c) =>
    replyToResponse(toErrorReply(error, { request_id: c.env.scope.request_id, log })),
  );
  // Every request passes the middleware below; `http/api.ts` adds the checks of requests under /api.
  hono.use((c, next) => {
    c.set('server', { deps, isTrustedProxy });
    // Some libraries throw strings. Hono would pass them on to Node.
    return next().catch((error: unknown) => {
      throw error instanceof Error ? error : new Error(String(error));
    });
  });
  hono.use(warnUnlistedProxy(deps, isTrustedProxy));
  serveMetrics(hono, deps, liveResources);
  for (const { path, answer } of health) hono.get(path, setRoute(path), answer);
  hono.use(requireKnownHost(env));
  hono.route('/api', createApi(env, endpoints));
  const web = createWeb(deps, webRoot, () => findLook(deps));
  hono.all('*', web);
  return {
    hono,
    endpoints,
    close() {
      for (const kind of Object.values(liveResources)) kind.close();
    },
  };
}

/** Serves metrics here only without METRICS_ADDRESS. A collector must address each node, not the site: hence before the host check. */
function serveMetrics(hono: Hono<HttpEnv>, { env, metrics }: Deps, liveResources: LiveResources): void {
  if (metrics === null) return;
  const { streams, adminChannel } = liveResources;
  metrics.watch(() => ({ visitor: streams.count(), administrator: adminChannel.count() }));
  if (env.METRICS_ADDRESS === undefined)
    hono.get('/metrics', setRoute('/metrics'), metricsHandler(metrics, env.METRICS_TOKEN));
}

/** Creates what stays active after the response has started: event streams and transfers. */
const createLiveResources = (deps: Deps) => ({
  connections: createConnections(deps),
  streams: createStreams(),
  transfers: createTransfers(deps),
  adminChannel: createAdminChannel(deps),
});
type LiveResources = ReturnType<typeof createLiveResources>;

function createEndpoints(deps: Deps, webRoot: string, liveResources: LiveResources): Endpoint[] {
  const { connections, streams, transfers, adminChannel } = liveResources;
  return [
    ...contractEndpoints(router).map((endpoint) => ({ ...endpoint, ...bodyOptions(endpoint) })),
    ...authEndpoints(deps),
    mediaEndpoint({ connections, transfers, guest: rehearsalMediaAccess }),
    ticketsEndpoint(connections),
    rehearsalTicketsEndpoint(transfers),
    keepsakeTicketsEndpoint(transfers),
    calendarEndpoint,
    eventsEndpoint(connections, streams),
    adminEventsEndpoint(adminChannel),
    logsCsvEndpoint(transfers),
    planBFileEndpoint(transfers, webRoot),
    ...uploadEndpoints(deps, transfers),
    ...archiveEndpoints(transfers),
  ];
}

/** Returns the look of the pages; the default one if the database is unavailable, because pages are served without it too. */
async function findLook({ db }: Deps): Promise<Look> {
  const site = await findSiteSettings(db).catch(() => undefined);
  return { dress: parseDress(site?.dress), ownFooter: (site?.footer_text ?? null) !== null };
}

/**
 * Warns once if a proxy isn't listed in TRUSTED_PROXIES: its clients share one address. Ignores public peers, because any client can send
 * the header.
 */
function warnUnlistedProxy({ unnamedProxy, log }: Deps, isTrustedProxy: IsTrustedProxy): Middleware {
  return async ({ env: { incoming } }, next) => {
    const peer = clientAddress(incoming.socket.remoteAddress, undefined, isTrustedProxy);
    const isNew = unnamedProxy.seen === null && incoming.headers['x-forwarded-for'] !== undefined;
    if (isNew && !isTrustedProxy(peer) && reachOf(peer) !== 'public') {
      unnamedProxy.seen = peer;
      log.warn('a proxy that TRUSTED_PROXIES does not name: all who come through it count as one');
    }
    await next();
  };
}

/** Calls with long bodies: phrase lists and captions of a film. */
const LONG_BODY_PATHS: ReadonlySet<string> = new Set(['/admin/config', '/admin/media/video/{id}/captions']);

/** Returns the body options of a call that differ from the default. */
function bodyOptions({ path }: Endpoint): Pick<Endpoint, 'body'> {
  // `sendBeacon` sets no headers.
  if (path === '/visit/track-user-exit') return { body: 'beacon' };
  return LONG_BODY_PATHS.has(path) ? { body: { longerFor: onlyAdmin } } : {};
}

const onlyAdmin = (c: HttpContext) =>
  requireAdmin({ deps: c.get('server').deps, headers: c.req.raw.headers });

/** Auth calls that may end a valid session. */
const SESSION_ENDING_PATHS: ReadonlySet<string> = new Set([
  '/sign-out',
  '/change-password',
  '/revoke-other-sessions',
] satisfies AuthPath[]);

function authEndpoints({ auth, live, log }: Deps): Endpoint[] {
  return Object.entries(AUTH_ROUTES).map(([path, described]) => ({
    ...described,
    path: `/auth${path}`,
    responseType: 'application/json',
    answer: async (c) => {
      const { method, url } = c.req;
      const request = new Request(url, { method, headers: c.req.raw.headers });
      const response = await auth.handle({ request, body: c.get('body'), address: addressOf(c) });
      // The call may have added a log event.
      if (method === 'POST') publishChange({ live, log }, 'logs');
      if (response.ok && SESSION_ENDING_PATHS.has(path)) await live.publish({ type: 'signed_out' });
      return response;
    },
  }));
}

/** All calls of the contract, bound to their services. */
export const router = os.router({
  visit: { ...visitCalls, enter: enterCall },
  keepsake: keepsakeCalls,
  diagnosis: diagnosisCalls,
  admin: {
    registration,
    me,
    dashboard: dashboardCall,
    ready: readinessCalls,
    address: siteAddressCalls,
    sharing: sharingCalls,
    config: configCalls,
    questions: questionsCalls,
    answers: answersCalls,
    captions: captionsCalls,
    light: lightCalls,
    media: mediaCalls,
    tokens: tokensCalls,
    bin: binCalls,
    sessions: sessionsCalls,
    logs: logsCalls,
    notifications: notificationsCalls,
    rehearsal: rehearsalCalls,
    diagnosis: adminDiagnosisCalls,
    erase: eraseCalls,
    archive: archiveCalls,
    restore: restoreCalls,
    planB: planBCalls,
  },
});
