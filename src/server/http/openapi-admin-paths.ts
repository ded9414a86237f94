import type { OpenAPI } from '@orpc/openapi';
import { TRIPS } from '../../domain/content.ts';

type Answer = NonNullable<NonNullable<OpenAPI.PathItemObject['get']>['responses']>[string];

const security = [{ administrator: [] }];
const refusal = (description: string): Answer => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
});
const signIn = refusal('SIGN_IN_REQUIRED');
const bytes = { schema: { type: 'string', contentEncoding: 'binary' } } as const;
const text = { schema: { type: 'string' } } as const;

const csv: OpenAPI.PathItemObject = {
  get: {
    summary: 'Every event as CSV, newest first',
    description: 'RFC 4180, every cell quoted, UTF-8 with a BOM. HEAD is answered.',
    security,
    responses: { 200: { description: 'event_logs_{date}.csv', content: { 'text/csv': text } }, 401: signIn },
  },
};

const planB: OpenAPI.PathItemObject = {
  get: {
    summary: 'The sealed evening as one file',
    description:
      'A page that opens out of a folder, with nothing to be read in it without a code. HEAD is answered.',
    security,
    responses: {
      200: { description: 'piano-b.html', content: { 'text/html': text } },
      401: signIn,
      404: refusal('NOT_FOUND'),
    },
  },
};

const events: OpenAPI.PathItemObject = {
  get: {
    summary: "The live channel of the administrator's pages (server-sent events)",
    description:
      'One JSON object per event: `ping` every 15 seconds, `changed` with its topics, `resync` (everything may be old), `bye` (come back).',
    security,
    responses: {
      200: { description: 'The stream', content: { 'text/event-stream': text } },
      401: signIn,
      503: refusal('Too many streams are open'),
    },
  },
};

const rehearsalTickets: OpenAPI.PathItemObject = {
  parameters: [
    { name: 'viaggio', in: 'path', required: true, schema: { type: 'string', enum: TRIPS.map(String) } },
  ],
  get: {
    summary: "A trip's tickets as a PDF, in the rehearsal",
    security,
    responses: {
      200: { description: 'biglietti.pdf', content: { 'application/pdf': bytes } },
      401: signIn,
      404: refusal('There are no tickets'),
    },
  },
};

const uploads: OpenAPI.PathItemObject = {
  post: {
    summary: 'Begin a resumable upload (tus 1.0.0)',
    description: '`Upload-Metadata` names its `slot` and `filename`.',
    security,
    responses: { 201: { description: 'Its address is in `Location`' }, 401: signIn },
  },
};

const upload: OpenAPI.PathItemObject = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  head: {
    summary: 'How much of an upload has arrived',
    security,
    responses: { 200: { description: '`Upload-Offset` says it' }, 401: signIn, 404: refusal('NOT_FOUND') },
  },
  patch: {
    summary: 'The next bytes of an upload',
    security,
    responses: { 204: { description: 'Taken' }, 401: signIn, 404: refusal('NOT_FOUND') },
  },
  delete: {
    summary: 'Give an upload up',
    security,
    responses: { 204: { description: 'Given up' }, 401: signIn, 404: refusal('NOT_FOUND') },
  },
};

const archive: OpenAPI.PathItemObject = {
  parameters: [{ name: 'ticket', in: 'path', required: true, schema: { type: 'string' } }],
  get: {
    summary: 'The archive of everything, sealed with the passphrase of its ticket',
    description: 'Of `POST /admin/archive`, for a minute. A ZIP file in the age format. HEAD is answered.',
    security,
    responses: {
      200: { description: 'sorpresa-{date}.zip.age', content: { 'application/octet-stream': bytes } },
      401: signIn,
      404: refusal('ARCHIVE_LINK_OVER'),
    },
  },
};

const restore: OpenAPI.PathItemObject = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  put: {
    summary: 'The bytes of an announced archive',
    description: 'Of `POST /admin/restore`, where nobody has registered.',
    requestBody: { content: { 'application/octet-stream': bytes } },
    responses: {
      204: { description: 'Taken' },
      403: refusal('REGISTRATION_CLOSED'),
      404: refusal('ARCHIVE_GONE'),
      413: refusal('ARCHIVE_TOO_LARGE'),
      507: refusal('STORAGE_FULL'),
    },
  },
};

/** What is not a call of the contract, on the administrator's side. */
export const adminPaths: Record<string, OpenAPI.PathItemObject> = {
  '/admin/logs.csv': csv,
  '/admin/plan-b/piano-b.html': planB,
  '/admin/events': events,
  '/admin/archive/{ticket}': archive,
  '/admin/restore/{id}': restore,
  '/admin/uploads': uploads,
  '/admin/uploads/{id}': upload,
  '/rehearsal/tickets/{viaggio}/biglietti.pdf': rehearsalTickets,
};
