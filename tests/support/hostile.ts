import fc from 'fast-check';
import type { z } from 'zod';

/** Returns a value that the schema accepts, built from its shape. */
export function exampleOf(schema: z.core.JSONSchema.BaseSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice !== undefined) return exampleOf(choice[0] as z.core.JSONSchema.BaseSchema);
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {});
      return Object.fromEntries(
        entries.map(([name, field]) => [name, exampleOf(field as z.core.JSONSchema.BaseSchema)]),
      );
    }
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'string':
      return exampleText(schema);
    default:
      return null;
  }
}

function exampleText({ format, pattern }: z.core.JSONSchema.BaseSchema): string {
  if (format === 'uuid') return crypto.randomUUID();
  if (format === 'date-time') return '2026-11-20T20:00:00.000Z';
  if (format === 'date') return '2026-12-15';
  if (pattern?.startsWith('^\\d{6,12}:')) return `123456:${'a'.repeat(35)}`;
  return pattern === undefined ? 'testo' : '1';
}

/** Values that no field expects: wrong types, boundary numbers, invalid strings, unknown ids. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    '',
    ' ',
    '1',
    'true',
    'null',
    'NaN',
    'Infinity',
    '[object Object]',
  ),
  fc.constantFrom<unknown>(-1, 0, 1.5, 2 ** 31, 2 ** 53 + 1, 1e308, -1e308, 5e-324, -0),
  fc.constantFrom(
    'x'.repeat(301),
    'x'.repeat(2_001),
    'x'.repeat(30_000),
    'é'.repeat(10_000),
    'a\r\nSet-Cookie: b=c',
    '\u001b[31m',
    '\u202eabc',
    '\u200b\u200d\ufeff',
    '👩‍👩‍👧‍👦'.repeat(40),
    `a${'\u0301'.repeat(1_000)}`,
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE tokens; --",
    "1' OR '1'='1",
    '${process.env}',
    '{{7*7}}',
    '../../../../etc/passwd',
    '..\\..\\windows',
    '%00',
    '%2e%2e%2f',
    'ſııßﬀ',
    'ＲＯＭ',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '__proto__',
    'constructor',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
);

/** Complete bodies that are valid for no call, as text. */
const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[]',
    '"testo"',
    '1',
    'null',
    'true',
    '{"a":1,"a":2}',
    '{"a":}',
    '\ufeff{}',
    '[[[[]]]]',
    'NaN',
    "{'a':1}",
  ),
  fc.constantFrom(
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"a":"${'x'.repeat(70_000)}"}`,
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"a":1e999}',
  ),
);

/** Bodies for a call: valid ones with some fields changed, removed or added, or arbitrary ones. */
export function hostileBodies(schema: z.core.JSONSchema.BaseSchema): fc.Arbitrary<string> {
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
      added: fc.dictionary(
        fc.constantFrom(
          'extra',
          'id',
          'role',
          'created_by',
          'token_value',
          'prototype',
          'constructor',
          'is_active',
        ),
        hostileValue,
        { maxKeys: 2 },
      ),
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

function fieldNames(schema: z.core.JSONSchema.BaseSchema, before: string[] = []): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [...before, name],
    ...fieldNames(field as z.core.JSONSchema.BaseSchema, [...before, name]),
  ]);
}

function put(body: object, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  const target = body as Record<string, unknown>;
  if (rest.length === 0) target[name] = value;
  else if (typeof target[name] === 'object' && target[name] !== null) put(target[name], rest, value);
}

/** Headers that the site's own pages never send. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constant({}),
  fc.constantFrom<Record<string, string>>(
    { accept: '*/*;q=0, text/nonsense' },
    { 'accept-language': 'x'.repeat(4_000) },
    { 'user-agent': '\t<script>\u00ff'.repeat(200) },
    { 'user-agent': '' },
    { cookie: `sid=${'a'.repeat(12_000)}` },
    { cookie: 'sid=a; sid=b; sid=; =; ;;' },
    { cookie: `sid=${'a'.repeat(43)}; sid=${'b'.repeat(43)}` },
    { 'x-forwarded-for': '1.2.3.4, evil' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-http-method-override': 'DELETE' },
    { 'last-event-id': '../../x' },
    { range: 'bytes=0-' },
    { 'if-none-match': '*' },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  ),
);
