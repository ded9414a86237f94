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
  /** With the cookie of a session past its maximum age. */
  'expired',
  /** With the cookie of a session that was unused for a day. */
  'idle',
  /** A phone with a pass for the rehearsal: no visitor and no administrator. */
  'rehearsal',
  /** A phone with a pass for the diagnosis. */
  'phone',
] as const;
export type Actor = (typeof ACTORS)[number];

/** The status of a success, or the code of a refusal. */
export type RouteResult = number | ErrorCode;

/** Values for the addresses and bodies. */
export type RouteFixture = {
  media: string;
  token_id: string;
  code: string;
  lastStep: number;
  versione: number;
};

export type Row = {
  path?: (ground: RouteFixture) => string;
  body?: (ground: RouteFixture) => unknown;
  headers?: Record<string, string>;
  /** A reply without a body (HEAD) has its status instead of a refusal code. */
  outcomes: Record<Actor, RouteResult>;
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

/** Calls of the administrator for something that does not exist. */
const absent = (path: string, body?: unknown): Row => ({
  path: () => path,
  ...(body === undefined ? {} : { body: () => body }),
  outcomes: adminOnly('NOT_FOUND'),
});
const keepsakeOnly = (outcome: RouteResult) => ({ ...everybody('NO_KEEPSAKE'), keeper: outcome });
const phoneOnly = (outcome: RouteResult) => ({ ...everybody('DIAGNOSIS_OVER'), phone: outcome });
const rehearsalOnly = (outcome: RouteResult) => ({ ...adminOnly(outcome), rehearsal: outcome });

const empty = () => ({});
const answers = { viaggio: 2, risposta_1: true, risposta_2: true };
const exit = () => ({
  state: 'background',
  exitPoint: 'after_checkboxes',
  timestamp: new Date().toISOString(),
  seq: 99,
});
const uploadPath = () => `/admin/uploads/${'0'.repeat(32)}`;
const tus = { 'tus-resumable': '1.0.0' };
const tokenPath = ({ token_id }: RouteFixture) => `/admin/tokens/${token_id}`;

/** Calls that only read for the administrator: anything new under `GET /admin` is restricted to the administrator. */
const READ_BY_ADMIN: Row = { outcomes: adminOnly(200) };

/** Returns the expected replies of an address; throws if it has no row. */
export function rowOf(key: string): Row {
  const row = ROUTES[key] ?? (/^GET \/admin\/[\w/.-]+$/.test(key) ? READ_BY_ADMIN : undefined);
  if (row === undefined) throw new Error(`No row for ${key}`);
  return row;
}

/** Every address of the API with every method, except simple reading calls of the administrator. */
export const ROUTES: Record<string, Row> = {
  'GET /site': { outcomes: everybody(200) },
  'POST /access': {
    body: ({ code }) => ({ token: code, attempt_id: randomUUID(), device_id: `device-${randomUUID()}` }),
    outcomes: everybody(200),
  },

  'POST /visit/resume': { body: empty, outcomes: openVisit(200) },
  'POST /visit/position': {
    body: ({ lastStep }) => ({ step: lastStep, phrase: 0, second: 0 }),
    outcomes: openVisit(200, 'STEP_REFUSED'),
  },
  'POST /visit/answers': { body: () => answers, outcomes: openVisit(200, 'ANSWERS_REFUSED') },
  // A retry after a lost reply still succeeds.
  'POST /visit/complete': { body: empty, outcomes: { ...openVisit(200, 'STEP_REFUSED'), completed: 200 } },
  // These report the visit's state, or no longer have an effect.
  'POST /visit/heartbeat': { body: empty, outcomes: holder(200) },
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
  'POST /admin/rehearsal/pass': { body: empty, outcomes: adminOnly(200) },
  'DELETE /admin/rehearsal/pass': { outcomes: adminOnly(200) },

  'GET /diagnosis': { outcomes: phoneOnly(200) },
  'POST /diagnosis/enter': { body: () => ({ pass: 'nessuno' }), outcomes: everybody('DIAGNOSIS_OVER') },
  'POST /diagnosis/report': {
    body: () => ({ id: randomUUID(), findings: { in_app: false } }),
    outcomes: phoneOnly(200),
  },
  'POST /admin/diagnosis/pass': { body: empty, outcomes: adminOnly(200) },
  'DELETE /admin/diagnosis/pass/{id}': absent('/admin/diagnosis/pass/0'),
  'DELETE /admin/diagnosis/{id}': absent(`/admin/diagnosis/${randomUUID()}`),

  'GET /admin/registration': { outcomes: everybody(200) },
  'PATCH /admin/config': {
    body: ({ versione }) => ({ versione, fields: { contatto: '@anna' } }),
    outcomes: adminOnly(200),
  },
  'PATCH /admin/questions': {
    // The preparation saved them once.
    body: () => ({ versione: 1, fields: { domanda_1: 'Uno?' } }),
    outcomes: adminOnly(200),
  },
  'POST /admin/tokens': { body: () => ({ nome: 'Lei' }), outcomes: adminOnly(201) },
  'PATCH /admin/tokens/{id}': { path: tokenPath, body: () => ({ attivo: false }), outcomes: adminOnly(200) },
  'DELETE /admin/tokens/{id}': { path: tokenPath, outcomes: adminOnly(200) },
  'POST /admin/tokens/{id}/accesses': {
    path: (ground) => `${tokenPath(ground)}/accesses`,
    body: () => ({ max_accessi: 1 }),
    outcomes: adminOnly(200),
  },
  'POST /admin/tokens/{id}/extension': {
    path: (ground) => `${tokenPath(ground)}/extension`,
    body: () => ({ giorni: 1, scadenza: null }),
    outcomes: adminOnly(200),
  },
  'POST /admin/bin/{id}/restore': absent(`/admin/bin/${randomUUID()}/restore`, {}),
  'DELETE /admin/bin': { outcomes: adminOnly(200) },

  'POST /admin/address/check': {
    // No server listens there.
    body: () => ({ address: 'http://127.0.0.1:1' }),
    outcomes: adminOnly(200),
  },
  'POST /admin/sharing': { body: empty, outcomes: adminOnly(200) },
  'DELETE /admin/sharing': { outcomes: adminOnly(200) },
  'POST /admin/sharing/given': { body: empty, outcomes: adminOnly(200) },
  // Requires the command's pass: tests/api/sharing.test.ts.
  'POST /site/sharing': {
    body: () => ({ action: 'read', pass: 'nessuno' }),
    outcomes: everybody('NOT_FOUND'),
  },
  'GET /site/proof': {
    path: () => `/site/proof?nonce=${'0'.repeat(22)}`,
    outcomes: everybody(200),
  },

  // Nothing is erased without the confirmation word; its effect is tested separately (tests/api/erase.test.ts).
  'POST /admin/erase': { body: () => ({ keep: {}, word: 'cancella' }), outcomes: adminOnly('BAD_INPUT') },
  'POST /admin/archive': { body: () => ({ passphrase: 'breve' }), outcomes: adminOnly('PASSPHRASE_SHORT') },
  'GET /admin/archive/{ticket}': {
    path: () => '/admin/archive/nessuno',
    outcomes: adminOnly('ARCHIVE_LINK_OVER'),
  },
  // An administrator exists. For an installation without one: tests/api/archive-restore.test.ts.
  'POST /admin/restore': { body: () => ({ size: 1 }), outcomes: everybody('REGISTRATION_CLOSED') },
  'PUT /admin/restore/{id}': { path: () => '/admin/restore/nessuno', outcomes: everybody('ARCHIVE_GONE') },
  'POST /admin/restore/{id}': {
    path: () => '/admin/restore/nessuno',
    body: () => ({ passphrase: '' }),
    outcomes: everybody('REGISTRATION_CLOSED'),
  },
  'POST /admin/ready/check': { body: empty, outcomes: adminOnly(200) },
  // No Piano B was built.
  'GET /admin/plan-b/piano-b.html': { outcomes: adminOnly('NOT_FOUND') },
  'POST /admin/plan-b': { body: () => ({}), outcomes: adminOnly(200) },
  'POST /admin/notifications/take-back': { body: empty, outcomes: adminOnly(200) },
  'POST /admin/notifications/test': { body: empty, outcomes: adminOnly('NOT_CONFIGURED') },
  'POST /admin/notifications/chats': { body: empty, outcomes: adminOnly('NOT_CONFIGURED') },

  'GET /admin/media/{slot}': { path: () => '/admin/media/video', outcomes: adminOnly(200) },
  'POST /admin/media/{slot}/{id}/use': absent(`/admin/media/video/${randomUUID()}/use`, {}),
  'POST /admin/media/{slot}/{id}/focus': absent(`/admin/media/immagine/${randomUUID()}/focus`, {
    fuoco: null,
  }),
  'DELETE /admin/media/{slot}/{id}': absent(`/admin/media/video/${randomUUID()}`),
  'POST /admin/media/video/{id}/poster': absent(`/admin/media/video/${randomUUID()}/poster`, { second: 0 }),
  'POST /admin/media/video/{id}/captions': absent(`/admin/media/video/${randomUUID()}/captions`, {
    text: '00:01 --> 00:02\nCiao',
    mode: 'device',
  }),
  'DELETE /admin/media/video/{id}/captions': absent(`/admin/media/video/${randomUUID()}/captions`),
  'POST /admin/media/video/{id}/light': absent(`/admin/media/video/${randomUUID()}/light`, { on: false }),
  'POST /admin/media/{slot}/join': absent('/admin/media/biglietti/join', {
    ids: [randomUUID(), randomUUID()],
  }),
  'POST /admin/uploads': {
    headers: { ...tus, 'upload-length': '7', 'upload-metadata': 'slot dmlkZW8=,filename YS5tcDQ=' },
    outcomes: adminOnly(201),
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
  'DELETE /admin/uploads/{id}': { path: uploadPath, headers: tus, outcomes: adminOnly('NOT_FOUND') },
  'POST /admin/uploads/{upload}/finish': absent(`${uploadPath()}/finish`, {}),

  'POST /admin/uploads/{upload}/dismiss': absent(`${uploadPath()}/dismiss`, {}),

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
  'POST /auth/sign-out': { body: empty, outcomes: everybody(200) },

  'GET /openapi.json': { outcomes: everybody(200) },
};
