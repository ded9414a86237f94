import fc from 'fast-check';
import type { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** Returns a value that the schema accepts, built from its shape. */
function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice !== undefined) return exampleOf(choice[0] as Schema);
  const fields = Object.entries(schema.properties ?? {});
  if (schema.type === 'object')
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field as Schema)]));
  if (schema.type === 'string') return exampleText(schema);
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  return schema.type === 'array' ? [] : schema.type === 'boolean' || null;
}

function exampleText({ format, pattern }: Schema): string {
  if (format === 'uuid') return crypto.randomUUID();
  if (format === 'date-time') return '2026-11-20T20:00:00.000Z';
  if (format === 'date') return '2026-12-15';
  if (pattern?.startsWith('^\\d{6,12}:')) return `123456:${'a'.repeat(35)}`;
  return pattern === undefined ? 'testo' : '1';
}

/** Values that no field expects: wrong types, boundary numbers, invalid strings, unknown ids. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, [], {}, [null], { a: 1 }, '', ' ', '1', 'NaN', '[object Object]'),
  fc.constantFrom<unknown>(-1, 0, 1.5, 2 ** 31, 2 ** 53 + 1, 1e308, 5e-324, -0),
  fc.constantFrom(
    'x'.repeat(301),
    'x'.repeat(30_000),
    'é'.repeat(10_000),
    'a\r\nSet-Cookie: b=c',
    '\u202eabc\u200b',
    '👩‍👩‍👧‍👦'.repeat(40),
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE tokens; --",
    '../../../../etc/passwd',
    '%00',
    '00000000-0000-0000-0000-000000000000',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
);

/** Complete bodies that are valid for no call, as text. */
const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', '{', '[]', '1', 'null', '{"a":1,"a":2}', '{"a":}', '\ufeff{}', "{'a':1}"),
  fc.constantFrom(
    '{"__proto__":{"x":1}}',
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"a":"${'x'.repeat(70_000)}"}`,
    '{"a":"\\ud800"}',
    '{"a":1e999}',
  ),
);

const ADDED = ['extra', 'id', 'role', 'token_value', 'constructor', 'is_active'];

/** Bodies for a call: valid ones with some fields changed, removed or added, or arbitrary ones. */
export function hostileBodies(schema: Schema): fc.Arbitrary<string> {
  const names = fieldNames(schema);
  const spoiled = fc
    .record({
      spoilt:
        names.length === 0
          ? fc.constant([])
          : fc.uniqueArray(fc.tuple(fc.constantFrom(...names), hostileValue), {
              selector: ([path]) => path.join('.'),
              minLength: 1,
              maxLength: 3,
            }),
      left: fc.subarray(names, { maxLength: Math.min(1, names.length) }),
      added: fc.dictionary(fc.constantFrom(...ADDED), hostileValue, { maxKeys: 2 }),
    })
    .map(({ spoilt, left, added }) => {
      const body = { ...(exampleOf(schema) as object), ...added };
      // A copy, because a later change must not insert a value into itself or into the next body.
      for (const [path, value] of spoilt) put(body, path, structuredClone(value));
      for (const path of left) put(body, path, undefined);
      return JSON.stringify(body);
    });
  return fc.oneof({ weight: 4, arbitrary: spoiled }, { weight: 1, arbitrary: hostileBody });
}

function fieldNames(schema: Schema, before: string[] = []): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [...before, name],
    ...fieldNames(field as Schema, [...before, name]),
  ]);
}

function put(body: object, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  const target = body as Record<string, unknown>;
  if (rest.length === 0) target[name] = value;
  else if (typeof target[name] === 'object' && target[name] !== null) put(target[name], rest, value);
}

/** Headers that the site's own pages never send. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  {},
  { accept: '*/*;q=0, text/nonsense' },
  { 'accept-language': 'x'.repeat(4_000) },
  { 'user-agent': '\t<script>\u00ff'.repeat(200) },
  { cookie: `sid=${'a'.repeat(12_000)}` },
  { cookie: 'sid=a; sid=b; sid=; =; ;;' },
  { 'x-forwarded-for': '1.2.3.4, evil' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-http-method-override': 'DELETE' },
  { 'last-event-id': '../../x' },
  { range: 'bytes=0-' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
);
