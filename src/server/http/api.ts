import { type AnyContractProcedure, type HTTPMethod, type HTTPPath, oc } from '@orpc/contract';
import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { Hono } from 'hono';
import { z } from 'zod';
import { contract } from '../../contract/contract.ts';
import { ERROR_STATUS, type ErrorCode, errorMap } from '../../contract/errors.ts';
import { TRIPS } from '../../domain/content.ts';
import { eachOf } from '../../domain/records.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { metricsEnabled } from '../log.ts';
import { type AllowLongBody, readJsonBody, requireSameOrigin } from './edge.ts';
import { errorResponse } from './refusals.ts';
import { type Handler, type HttpEnv, type Middleware, setRoute } from './request-context.ts';

/** A method and path under `/api` with its handler; GET handlers also answer HEAD. `{name}` matches one segment, `{viaggio}` 1 or 2. */
export type Endpoint = {
  method: HTTPMethod;
  path: HTTPPath;
  /**
   * Reading of the request body: `json` is limited to 64 kB, `beacon` also accepts text/plain, `own` is read and limited by the handler;
   * `longerFor` decides which callers may send longer JSON.
   */
  body?: 'json' | 'beacon' | 'own' | { longerFor: AllowLongBody };
  answer: Handler;
  /** For the OpenAPI document, as are the fields below; missing on calls of the contract, which describes them. */
  summary?: string;
  /** Status of a success; 200 by default. */
  status?: number;
  /** Media type of a success with a body. */
  responseType?: string;
  /** Expected refusals; that of a missing cookie implies the security scheme. */
  refusals?: readonly ErrorCode[];
  /** Schema of segments, query and JSON body; by default each segment is a string. */
  input?: z.ZodType;
  /** Other parts of the OpenAPI operation. */
  operation?: OpenAPI.OperationObject;
};

/** Creates the app for `/api`. Hono matches path and method; nothing matches them again (decision 002). */
export function createApi(env: Env, endpoints: readonly Endpoint[]): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  for (const [path, sameEndpoints] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const address = path.replace('{viaggio}', ':viaggio{[12]}').replace(/\{(\w+)\}/g, ':$1');
    const allowed = sameEndpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const notAllowed = () => errorResponse('METHOD_NOT_ALLOWED', { Allow: allowed.join(', ') });
    if (metricsEnabled(env)) api.use(address, setRoute(`/api${path}`));
    for (const endpoint of sameEndpoints) {
      const { method, answer } = endpoint;
      // Hono routes a HEAD request as a GET.
      if (method === 'HEAD')
        api.get(address, async (c) => (c.req.method === 'HEAD' ? answer(c) : notAllowed()));
      else api.on(method, [address], ...middlewareFor(env, endpoint), answer);
    }
    api.all(address, notAllowed);
  }
  api.all('*', () => errorResponse('NOT_FOUND'));
  return api;
}

/** Returns the middleware before a handler, in order: each refuses the request or passes it on. */
function middlewareFor(env: Env, { method, body = 'json' }: Endpoint): Middleware[] {
  if (method === 'GET') return [];
  const isBeacon = body === 'beacon';
  const sameOrigin = requireSameOrigin(env, isBeacon);
  if (body === 'own') return [sameOrigin];
  const types = ['application/json', ...(isBeacon ? ['text/plain'] : [])];
  return [sameOrigin, readJsonBody(types, typeof body === 'object' ? body.longerFor : null)];
}

/** Creates `GET /openapi.json`. The document is generated at the first request, from the endpoints that exist then. */
export function openApiEndpoint(endpoints: () => Endpoint[], { cookieId }: Pick<Deps, 'cookieId'>): Endpoint {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' };
  let bytes: Promise<NonSharedBuffer> | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    responseType: 'application/json',
    answer: async () => {
      bytes ??= openApiDocument(endpoints(), cookieId);
      return new Response(await bytes, { headers });
    },
  };
}

/** Generates the OpenAPI document of the whole HTTP contract. */
async function openApiDocument(endpoints: Endpoint[], cookieId: string): Promise<NonSharedBuffer> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const described = endpoints.filter(({ summary }) => summary !== undefined).map(toCall);
  const calls = { ...contract, ...Object.fromEntries(described) };
  const document = await generator.generate(calls, {
    info: {
      title: 'Una Sorpresa per Te',
      version: '1',
      description:
        'Every refusal is `{ codice, messaggio, secondi?, line?, opens_at? }`; the sentence is Italian and may be shown as it is. HEAD is answered like GET.',
    },
    servers: [{ url: '/api' }],
    components: { securitySchemes: securitySchemes(cookieId) },
    commonSchemas: { Refusal: { schema: refusalSchema() } },
    customErrorResponseBodySchema: (errors) => ({
      allOf: [{ $ref: '#/components/schemas/Refusal' }],
      properties: { codice: { enum: errors.map(([code]) => code) } },
    }),
  });
  return Buffer.from(JSON.stringify(document));
}

/** Converts an endpoint to the contract's form, so that the generator describes it. */
function toCall(endpoint: Endpoint): [string, AnyContractProcedure] {
  const { method, path, summary = '', status = 200, responseType, operation } = endpoint;
  const codes = endpoint.refusals ?? [];
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofSegments = segments.length > 0 ? z.object(eachOf(segments, toSegment)) : z.any();
  const security = codes.flatMap((code) => COOKIES[code] ?? []).map((cookie) => ({ [cookie]: [] }));
  const success = { description: 'OK', ...(responseType && { content: { [responseType]: {} } }) };
  const spec = (generated: OpenAPI.OperationObject) => ({
    ...generated,
    security,
    ...operation,
    responses: { ...generated.responses, [status]: success, ...operation?.responses },
  });
  const call = oc
    .route({ method, path, summary, successStatus: status, spec })
    .input(endpoint.input ?? ofSegments)
    .errors(errorMap(...codes));
  return [`${method} ${path}`, call];
}

const toSegment = (name: string) => (name === 'viaggio' ? z.enum(TRIPS.map(String)) : z.string());

const refusalSchema = () =>
  z.strictObject({
    codice: z.enum(Object.keys(ERROR_STATUS)),
    messaggio: z.string(),
    secondi: z.int().min(0).optional().describe('How long to wait before trying again.'),
    line: z.int().min(1).optional().describe('The line of the text that is at fault.'),
    opens_at: z.iso.datetime().optional().describe('When codes start to work; only sent with a valid code.'),
  });

/** The cookie whose absence causes the refusal. */
const COOKIES: Partial<Record<ErrorCode, keyof ReturnType<typeof securitySchemes>>> = {
  NO_VISIT: 'visit',
  KEEPSAKE_CLOSED: 'keepsake',
  SIGN_IN_REQUIRED: 'administrator',
};

const cookie = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'cookie', name, description }) as const;
const securitySchemes = (id: string) => ({
  visit: cookie(`sid_${id}`, `The visitor cookie (\`__Host-sid_${id}\` over https), given by POST /access.`),
  keepsake: cookie(
    `ricordo_${id}`,
    `Given by POST /visit/complete (\`__Secure-ricordo_${id}\` over https); opened by POST /keepsake/open.`,
  ),
  administrator: cookie(`sorpresa_${id}.session_token`, 'Given by POST /auth/sign-in/email.'),
});
