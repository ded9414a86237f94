import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../../contract/contract.ts';
import { ERROR_STATUS } from '../../contract/errors.ts';
import { otherPaths } from './openapi-paths.ts';

/** The whole HTTP contract as an OpenAPI document: the calls out of their schemas, everything else written by hand. */
export async function openApiDocument(): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: {
      title: 'Una Sorpresa per Te',
      version: '1',
      description:
        'Every refusal is `{ codice, messaggio, secondi?, line?, opens_at? }`; the sentence is Italian and may be shown as it is.',
    },
    servers: [{ url: '/api' }],
    components: { schemas: { Refusal: refusalSchema }, securitySchemes },
    customErrorResponseBodySchema: (errors) => ({
      allOf: [{ $ref: '#/components/schemas/Refusal' }],
      properties: { codice: { enum: errors.map(([code]) => code) } },
    }),
  });
  const paths = { ...document.paths };
  // An address may answer a call by one method and something else by another.
  for (const [path, methods] of Object.entries(otherPaths)) paths[path] = { ...paths[path], ...methods };
  return { ...document, paths };
}

const refusalSchema: OpenAPI.SchemaObject = {
  type: 'object',
  required: ['codice', 'messaggio'],
  additionalProperties: false,
  properties: {
    codice: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    messaggio: { type: 'string' },
    secondi: { type: 'integer', minimum: 0, description: 'How long to wait before trying again.' },
    line: { type: 'integer', minimum: 1, description: 'The line of the text that is at fault.' },
    opens_at: {
      type: 'string',
      format: 'date-time',
      description: 'The moment before which no code opens, for who came with a right one.',
    },
  },
};

const securitySchemes = {
  visit: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sid',
    description: 'The visitor cookie (`__Host-sid` over https), given by POST /access.',
  },
  keepsake: {
    type: 'apiKey',
    in: 'cookie',
    name: 'ricordo',
    description:
      'Given by POST /visit/complete (`__Secure-ricordo` over https); opened by POST /keepsake/open.',
  },
  administrator: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sorpresa.session_token',
    description: 'Given by POST /auth/sign-in/email.',
  },
} as const;
