import type { OpenAPI } from '@orpc/openapi';
import { TRIPS } from '../../domain/content.ts';
import { MEDIA_NAME } from '../../domain/media-address.ts';
import { adminPaths } from './openapi-admin-paths.ts';

type Operation = NonNullable<OpenAPI.PathItemObject['get']>;
type Answer = NonNullable<Operation['responses']>[string];
type Body = NonNullable<Operation['requestBody']>;

const refusal = (description: string): Answer => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
});
const bytes = { schema: { type: 'string', contentEncoding: 'binary' } } as const;
const json = { 'application/json': { schema: { type: 'object' } } } as const;
const visitOrAdmin = [{ visit: [] }, { keepsake: [] }, { administrator: [] }];
const atTheRoot = [{ url: '/' }];

const jsonBody = (required: string[], optional: string[] = []): Body => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required,
        properties: Object.fromEntries(
          [...required, ...optional].map((name) => [name, { type: 'string' as const }]),
        ),
      },
    },
  },
});

const media: OpenAPI.PathItemObject = {
  parameters: [
    {
      name: 'file',
      in: 'path',
      required: true,
      schema: { type: 'string', pattern: MEDIA_NAME.source },
    },
    {
      name: 'w',
      in: 'query',
      description:
        'Of a picture: so many pixels are to be filled from side to side. Which format, `Accept` says.',
      schema: { type: 'integer' },
    },
  ],
  get: {
    summary: 'A file, to the administrator, to a living visit that has reached it, or to an open keepsake',
    description: 'Single byte ranges, If-Range, If-None-Match and HEAD are answered.',
    security: visitOrAdmin,
    responses: {
      200: { description: 'The file', content: { 'application/octet-stream': bytes } },
      206: { description: 'A part of it', content: { 'application/octet-stream': bytes } },
      304: { description: 'The file the browser has is the one there is' },
      404: refusal('No such file for whoever asks'),
      416: { description: 'The range lies past the end' },
    },
  },
};

const tickets: OpenAPI.PathItemObject = {
  parameters: [
    { name: 'viaggio', in: 'path', required: true, schema: { type: 'string', enum: TRIPS.map(String) } },
  ],
  get: {
    summary: "A trip's tickets as a PDF, once its card has been handed out",
    security: [{ visit: [] }],
    responses: {
      200: { description: 'biglietti.pdf', content: { 'application/pdf': bytes } },
      401: refusal('There is no visit'),
      403: refusal('The visit is over'),
      404: refusal('There are no tickets, or the visit has not come to them'),
    },
  },
};

const keepsakeTickets: OpenAPI.PathItemObject = {
  ...tickets,
  get: {
    summary: "A trip's tickets as a PDF, of an evening that is looked at again",
    security: [{ keepsake: [] }],
    responses: {
      200: { description: 'biglietti.pdf', content: { 'application/pdf': bytes } },
      401: refusal('The code has to be typed again'),
      404: refusal('There is no keepsake for this device, or the trip has no tickets'),
    },
  },
};

const keepsakeCalendar: OpenAPI.PathItemObject = {
  ...tickets,
  get: {
    summary: 'A trip as a calendar file, where its days can be read',
    security: [{ keepsake: [] }],
    responses: {
      200: { description: 'viaggio.ics', content: { 'text/calendar': { schema: { type: 'string' } } } },
      401: refusal('The code has to be typed again'),
      404: refusal('There is no keepsake for this device, or the days cannot be read'),
    },
  },
};

const events: OpenAPI.PathItemObject = {
  get: {
    summary: "The visit's live channel (server-sent events)",
    description:
      'One JSON object per event: `ping` every 15 seconds, `disconnected` with its reason and contact, `bye` (come back).',
    security: [{ visit: [] }],
    responses: {
      200: { description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      204: { description: 'The visit is over: do not come back' },
      401: refusal('There is no visit'),
      503: refusal('Too many streams are open'),
    },
  },
};

const auth: Record<string, OpenAPI.PathItemObject> = {
  '/auth/sign-in/email': {
    post: {
      summary: 'Sign in',
      requestBody: jsonBody(['email', 'password']),
      responses: {
        200: { description: 'Signed in', content: json },
        401: refusal('BAD_CREDENTIALS'),
        429: refusal('TOO_MANY_ATTEMPTS'),
      },
    },
  },
  '/auth/sign-up/email': {
    post: {
      summary: 'Register the first administrator',
      requestBody: jsonBody(['email', 'password'], ['name', 'setup_code']),
      responses: {
        200: { description: 'Registered and signed in', content: json },
        400: refusal('WEAK_PASSWORD, LONG_PASSWORD or COMMON_PASSWORD'),
        403: refusal('REGISTRATION_CLOSED or SETUP_CODE_WRONG'),
      },
    },
  },
  '/auth/sign-out': {
    post: { summary: 'Sign out', responses: { 200: { description: 'Signed out', content: json } } },
  },
  '/auth/get-session': {
    get: {
      summary: 'The session of the cookie, or null',
      responses: { 200: { description: 'The session', content: json } },
    },
  },
  '/auth/change-password': {
    post: {
      summary: 'Change the password; every other session ends',
      requestBody: jsonBody(['currentPassword', 'newPassword']),
      responses: {
        200: { description: 'Changed', content: json },
        401: refusal('SIGN_IN_REQUIRED or BAD_CREDENTIALS'),
      },
    },
  },
  '/auth/change-email': {
    post: {
      summary: 'Change the e-mail one signs in with',
      requestBody: jsonBody(['password', 'newEmail']),
      responses: {
        200: { description: 'Changed', content: json },
        401: refusal('SIGN_IN_REQUIRED or BAD_CREDENTIALS'),
        409: refusal('EMAIL_TAKEN'),
      },
    },
  },
  '/auth/list-sessions': {
    get: {
      summary: 'The living sessions of who is signed in',
      responses: { 200: { description: 'The sessions', content: json }, 401: refusal('SIGN_IN_REQUIRED') },
    },
  },
  '/auth/revoke-other-sessions': {
    post: {
      summary: 'End every other session',
      requestBody: jsonBody(['password']),
      responses: {
        200: { description: 'Ended', content: json },
        401: refusal('SIGN_IN_REQUIRED or BAD_CREDENTIALS'),
      },
    },
  },
};

const operation: Record<string, OpenAPI.PathItemObject> = {
  '/openapi.json': {
    get: { summary: 'This document', responses: { 200: { description: 'OpenAPI', content: json } } },
  },
  '/healthz': {
    servers: atTheRoot,
    get: { summary: 'The process is alive', responses: { 200: { description: 'It is', content: json } } },
  },
  '/readyz': {
    servers: atTheRoot,
    get: {
      summary: 'Database and storage answer',
      parameters: [
        {
          name: 'exclude',
          in: 'query',
          schema: { type: 'string', enum: ['storage'] },
          description: 'For a proxy before several nodes: what all of them have in common is not asked for',
        },
      ],
      responses: { 200: { description: 'They do', content: json }, 503: refusal('One of them does not') },
    },
  },
};

/** What is not a call of the contract. */
export const otherPaths: Record<string, OpenAPI.PathItemObject> = {
  '/media/{file}': media,
  '/visit/tickets/{viaggio}/biglietti.pdf': tickets,
  '/visit/events': events,
  '/keepsake/tickets/{viaggio}/biglietti.pdf': keepsakeTickets,
  '/keepsake/calendar/{viaggio}/viaggio.ics': keepsakeCalendar,
  ...adminPaths,
  ...auth,
  ...operation,
};
