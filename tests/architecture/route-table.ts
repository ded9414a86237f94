import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../src/contract/errors.ts';

/** All kinds of clients, in every state in which their cookie can still be sent. */
export const ACTORS = [
  /** Without a cookie. */
  'nobody',
  /** At the last stage of the visit. */
  'visitor',
  /** At the last stage, but with the page left: the visit can be resumed. */
  'left',
  /** With the cookie of a completed visit. */
  'completed',
  /** Completed the visit while the keepsake was available, and entered the code again. */
  'keeper',
  /** The code was revoked at the last stage. */
  'revoked',
  /** Another visitor, at the first stage. */
  'other',
  'admin',
  /** With the cookie of a signed-out session. */
  'signed_out',
  /** A phone with a pass for the rehearsal: no visitor and no administrator. */
  'rehearsal',
  /** A phone with a pass for the diagnosis. */
  'phone',
] as const;
export type Actor = (typeof ACTORS)[number];

/** The status of a success, or the code of a refusal. */
export type RouteResult = number | ErrorCode;

/** Values for the addresses and bodies. */
export type RouteFixture = { media: string; code: string; lastStep: number };

export type Row = {
  path?: (ground: RouteFixture) => string;
  /** `{}` for POST and PATCH if absent. */
  body?: (ground: RouteFixture) => unknown;
  headers?: Record<string, string>;
  /** A reply without a body (HEAD) has its status instead of a refusal code. `undefined`: admitted, with any reply. */
  outcomes: Record<Actor, RouteResult | undefined>;
};

const everybody = (outcome: RouteResult) =>
  Object.fromEntries(ACTORS.map((actor) => [actor, outcome])) as Record<Actor, RouteResult>;

/** Clients without a visit are refused for that, the administrator included. */
const visit = (outcomes: Record<'visitor' | 'left' | 'completed' | 'revoked' | 'other', RouteResult>) => ({
  ...everybody('NO_VISIT'),
  ...outcomes,
});
const openVisit = (status: number, other: RouteResult = status) =>
  visit({ visitor: status, left: status, completed: 'VISIT_ENDED', revoked: 'DISCONNECTED', other });
const holder = (status: number) =>
  visit({ visitor: status, left: status, completed: status, revoked: status, other: status });
const adminOnly = (outcome: RouteResult) => ({ ...everybody('SIGN_IN_REQUIRED'), admin: outcome });
const keepsakeOnly = (outcome: RouteResult) => ({ ...everybody('NO_KEEPSAKE'), keeper: outcome });
const phoneOnly = (outcome: RouteResult) => ({ ...everybody('DIAGNOSIS_OVER'), phone: outcome });
const rehearsalOnly = (outcome: RouteResult) => ({ ...adminOnly(outcome), rehearsal: outcome });

const answers = { viaggio: 2, risposta_1: true, risposta_2: true };
const exit = () => ({
  state: 'background',
  exitPoint: 'after_checkboxes',
  timestamp: new Date().toISOString(),
  seq: 99,
});
const uploadPath = () => `/admin/uploads/${'0'.repeat(32)}`;
const tus = { 'tus-resumable': '1.0.0' };

/** A call of the administrator. The guard comes before the input, and tests/api covers the replies. */
const admitted = (path?: string, body?: object): Row => ({
  ...(path !== undefined && { path: () => path }),
  ...(body !== undefined && { body: () => body }),
  outcomes: { ...everybody('SIGN_IN_REQUIRED'), admin: undefined },
});
const ID = randomUUID();

/** Returns the expected replies of an address; throws if it has no row. */
export function rowOf(key: string): Row {
  const row = ROUTES[key] ?? (/^\w+ \/admin\//.test(key) ? admitted() : undefined);
  if (row === undefined) throw new Error(`No row for ${key}`);
  return row;
}

/** Every address of the API with every method, except calls of the administrator without an input. */
export const ROUTES: Record<string, Row> = {
  'GET /site': { outcomes: everybody(200) },
  'POST /access': {
    body: ({ code }) => ({ token: code, attempt_id: randomUUID(), device_id: `device-${randomUUID()}` }),
    outcomes: everybody(200),
  },

  'POST /visit/resume': { outcomes: openVisit(200) },
  'POST /visit/position': {
    body: ({ lastStep }) => ({ step: lastStep, phrase: 0, second: 0 }),
    outcomes: openVisit(200, 'STEP_REFUSED'),
  },
  'POST /visit/answers': { body: () => answers, outcomes: openVisit(200, 'ANSWERS_REFUSED') },
  // A retry after a lost reply still succeeds.
  'POST /visit/complete': { outcomes: { ...openVisit(200, 'STEP_REFUSED'), completed: 200 } },
  // These report the visit's state, or no longer have an effect.
  'POST /visit/heartbeat': { outcomes: holder(200) },
  'POST /visit/track-user-exit': { body: exit, outcomes: holder(204) },
  'POST /visit/error': { body: () => ({ kind: 'video' }), outcomes: holder(200) },
  // 204 stops the browser from reconnecting.
  'GET /visit/events': { outcomes: { ...openVisit(200), completed: 204, revoked: 204 } },
  'GET /visit/tickets/1/biglietti.pdf': { outcomes: openVisit(200, 'NOT_FOUND') },
  'GET /visit/tickets/2/biglietti.pdf': { outcomes: openVisit(200, 'NOT_FOUND') },
  'GET /media/{file}': {
    path: ({ media }) => media,
    outcomes: { ...openVisit(200, 'NOT_FOUND'), keeper: 200, admin: 200, rehearsal: 200 },
  },

  'GET /keepsake': { outcomes: keepsakeOnly(200) },
  'POST /keepsake/open': { body: () => ({ token: 'ROM-SBAGLIATO' }), outcomes: keepsakeOnly('CODE_INVALID') },
  'POST /keepsake/reply': { body: () => ({ text: 'Grazie' }), outcomes: keepsakeOnly(200) },
  'GET /keepsake/tickets/1/biglietti.pdf': { outcomes: keepsakeOnly(200) },
  'GET /keepsake/tickets/2/biglietti.pdf': { outcomes: keepsakeOnly(200) },
  'GET /keepsake/calendar/1/viaggio.ics': { outcomes: keepsakeOnly('NOT_FOUND') },
  'GET /keepsake/calendar/2/viaggio.ics': { outcomes: keepsakeOnly('NOT_FOUND') },

  'GET /rehearsal': { outcomes: rehearsalOnly(200) },
  'POST /rehearsal/seen': {
    body: () => ({ version: 'una', phone: true }),
    outcomes: rehearsalOnly(200),
  },
  'GET /rehearsal/tickets/1/biglietti.pdf': { outcomes: rehearsalOnly(200) },
  'GET /rehearsal/tickets/2/biglietti.pdf': { outcomes: rehearsalOnly(200) },
  'POST /rehearsal/enter': { body: () => ({ pass: 'nessuno' }), outcomes: everybody('REHEARSAL_OVER') },

  'GET /diagnosis': { outcomes: phoneOnly(200) },
  'POST /diagnosis/enter': { body: () => ({ pass: 'nessuno' }), outcomes: everybody('DIAGNOSIS_OVER') },
  'POST /diagnosis/report': {
    body: () => ({ id: randomUUID(), findings: { in_app: false } }),
    outcomes: phoneOnly(200),
  },

  'GET /admin/registration': { outcomes: everybody(200) },
  'PATCH /admin/config': admitted(undefined, { versione: 0, fields: { contatto: '@anna' } }),
  'PATCH /admin/questions': admitted(undefined, { versione: 0, fields: { domanda_1: 'Uno?' } }),
  'POST /admin/tokens': admitted(undefined, { nome: 'Lei' }),
  'PATCH /admin/tokens/{id}': admitted(`/admin/tokens/${ID}`, { attivo: false }),
  'DELETE /admin/tokens/{id}': admitted(`/admin/tokens/${ID}`),
  'POST /admin/tokens/{id}/accesses': admitted(`/admin/tokens/${ID}/accesses`, { max_accessi: 1 }),
  'POST /admin/tokens/{id}/extension': admitted(`/admin/tokens/${ID}/extension`, {
    giorni: 1,
    scadenza: null,
  }),
  'POST /admin/bin/{id}/restore': admitted(`/admin/bin/${ID}/restore`),
  'DELETE /admin/diagnosis/pass/{id}': admitted('/admin/diagnosis/pass/0'),
  'DELETE /admin/diagnosis/{id}': admitted(`/admin/diagnosis/${ID}`),
  // No server listens there.
  'POST /admin/address/check': admitted(undefined, { address: 'http://127.0.0.1:1' }),
  'POST /admin/archive': admitted(undefined, { passphrase: 'breve' }),
  'GET /admin/media/{slot}': admitted('/admin/media/video'),
  'POST /admin/media/{slot}/{id}/use': admitted(`/admin/media/video/${ID}/use`),
  'POST /admin/media/{slot}/{id}/focus': admitted(`/admin/media/immagine/${ID}/focus`, { fuoco: null }),
  'DELETE /admin/media/{slot}/{id}': admitted(`/admin/media/video/${ID}`),
  'POST /admin/media/video/{id}/captions': admitted(`/admin/media/video/${ID}/captions`, {
    text: '00:01 --> 00:02\nCiao',
    mode: 'device',
  }),
  'DELETE /admin/media/video/{id}/captions': admitted(`/admin/media/video/${ID}/captions`),
  'POST /admin/media/video/{id}/light': admitted(`/admin/media/video/${ID}/light`, { on: false }),
  'POST /admin/media/{slot}/join': admitted('/admin/media/biglietti/join', { ids: [ID, randomUUID()] }),
  'POST /admin/uploads/{upload}/finish': admitted(`${uploadPath()}/finish`),
  'POST /admin/uploads/{upload}/dismiss': admitted(`${uploadPath()}/dismiss`),
  // Requires the command's pass: tests/api/sharing.test.ts.
  'POST /site/sharing': {
    body: () => ({ action: 'read', pass: 'nessuno' }),
    outcomes: everybody('NOT_FOUND'),
  },
  'GET /site/proof': {
    path: () => `/site/proof?nonce=${'0'.repeat(22)}`,
    outcomes: everybody(200),
  },

  // An administrator exists. For an installation without one: tests/api/archive-restore.test.ts.
  'POST /admin/restore': { body: () => ({ size: 1 }), outcomes: everybody('REGISTRATION_CLOSED') },
  'PUT /admin/restore/{id}': { path: () => '/admin/restore/nessuno', outcomes: everybody('ARCHIVE_GONE') },
  'POST /admin/restore/{id}': {
    path: () => '/admin/restore/nessuno',
    body: () => ({ passphrase: '' }),
    outcomes: everybody('REGISTRATION_CLOSED'),
  },
  'HEAD /admin/uploads/{id}': {
    path: uploadPath,
    headers: tus,
    outcomes: { ...everybody(401), admin: 404 },
  },
  'PATCH /admin/uploads/{id}': {
    path: uploadPath,
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    outcomes: adminOnly('NOT_FOUND'),
  },

  'POST /auth/sign-in/email': {
    body: () => ({ email: `${randomUUID()}@example.org`, password: 'sbagliata' }),
    outcomes: everybody('BAD_CREDENTIALS'),
  },
  'POST /auth/sign-up/email': {
    body: () => ({ email: 'carla@example.org', password: 'un’altra frase molto lunga 8' }),
    outcomes: everybody('REGISTRATION_CLOSED'),
  },
  'GET /auth/get-session': { outcomes: everybody(200) },
  'POST /auth/change-password': {
    body: () => ({ currentPassword: 'sbagliata', newPassword: 'un’altra frase molto lunga 8' }),
    outcomes: adminOnly('BAD_CREDENTIALS'),
  },
  'POST /auth/change-email': {
    body: () => ({ password: 'non-è-questa', newEmail: 'altra@example.org' }),
    outcomes: adminOnly('BAD_CREDENTIALS'),
  },
  'GET /auth/list-sessions': { outcomes: adminOnly(200) },
  'POST /auth/revoke-other-sessions': {
    body: () => ({ password: 'non-è-questa' }),
    outcomes: adminOnly('BAD_CREDENTIALS'),
  },
  'POST /auth/sign-out': { outcomes: everybody(200) },

  'GET /openapi.json': { outcomes: everybody(200) },
};
