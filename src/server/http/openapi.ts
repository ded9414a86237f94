import { type AnyContractProcedure, oc } from '@orpc/contract';
import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import { contract } from '../../contract/contract.ts';
import { ERROR_STATUS, type ErrorCode, errorMap } from '../../contract/errors.ts';
import { TRIPS } from '../../domain/content.ts';
import { eachOf } from '../../domain/records.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint } from './api.ts';

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
      bytes ??= openApiDocument(endpoints(), cookieId).then((document) =>
        Buffer.from(JSON.stringify(document)),
      );
      return new Response(await bytes, { headers });
    },
  };
}

/** Generates the OpenAPI document of the whole HTTP contract. */
function openApiDocument(endpoints: Endpoint[], cookieId: string): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const described = endpoints.filter(({ summary }) => summary !== undefined).map(toCall);
  return generator.generate(
    { ...contract, ...Object.fromEntries(described) },
    {
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
    },
  );
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
