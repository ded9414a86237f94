import type { OpenAPI } from '@orpc/openapi';

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
  parameters: [{ name: 'viaggio', in: 'path', required: true, schema: { type: 'string', enum: ['1', '2'] } }],
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

/** What is not a call of the contract, on the administrator's side. */
export const adminPaths: Record<string, OpenAPI.PathItemObject> = {
  '/admin/logs.csv': csv,
  '/admin/events': events,
  '/admin/uploads': uploads,
  '/admin/uploads/{id}': upload,
  '/rehearsal/tickets/{viaggio}/biglietti.pdf': rehearsalTickets,
};
