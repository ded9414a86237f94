import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import type { TunnelName } from '../contract/admin/site-address.ts';
import { MEDIA_BYTES } from '../domain/limits.ts';
import { isAddressRange } from './http/address.ts';

const address = z
  .string()
  // Browsers copy addresses with a final slash.
  .transform((text) => text.replace(/\/$/, ''))
  .refine(
    (text) => /^https?:\/\/[^\s/@]+$/.test(text) && URL.canParse(text),
    'must be an http(s) address without a path',
  );

const port = z.coerce.number().int().min(0).max(65_535);

/** A name that an authority certifies: at least two labels, no IP address, no wildcard. Other alphabets in Punycode. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;
/** Maximum names on one certificate. */
const MAX_DOMAINS = 10;

const domains = z
  .string()
  .transform((list) => splitList(list).map((name) => domainToASCII(name)))
  .refine(
    (names) => names.length > 0 && names.length <= MAX_DOMAINS && names.every((name) => DOMAIN.test(name)),
    `must be names such as sorpresa.example, with commas, ${MAX_DOMAINS} at most: no address, port or star`,
  )
  .transform((names) => [...new Set(names)]);

/** Service managers wait 10 to 90 s for a stop. */
const MAX_DRAIN_SECONDS = 60;

/** Several hosts in libpq's forms: `postgres://user:password@a:5432,b:5432/database` or `?host=a,b`. */
const SEVERAL_HOSTS = /^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&#]*,/;

const database = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .refine((text) => !SEVERAL_HOSTS.test(text), {
    error:
      'must name one host; of several, the address that leads to the primary (HAProxy, a managed endpoint)',
    abort: true,
  })
  .refine((text) => URL.canParse(text), 'must be an address such as postgres://user:password@host/database')
  // `pg` treats the weaker modes as `verify-full` and prints a long warning at every start.
  .transform((text) =>
    /[?&]uselibpqcompat=/.test(text)
      ? text
      : text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full'),
  );

/** Address of the metrics listener: `127.0.0.1:9464`, `[::1]:9464`, `name:9464`. */
const METRICS_ADDRESS_PATTERN = /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/i;

const metricsAddress = z
  .string()
  .regex(METRICS_ADDRESS_PATTERN, 'must be an address and a port, such as 127.0.0.1:9464')
  .transform((text) => {
    const [, ipv6, other = '', number] = METRICS_ADDRESS_PATTERN.exec(text) ?? [];
    return { HOST: ipv6 ?? other, PORT: Number(number) };
  })
  .refine(({ PORT }) => PORT <= 65_535, 'must end in a port of at most 65535');

/** 32 random bytes in base64: from `openssl rand -base64 32` or from `DATA_DIR/secret-…`. */
const secret = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]{43}=?$/, 'must be 32 random bytes in base64: openssl rand -base64 32');

const schema = z.object({
  HOST: z.string().min(1).default('0.0.0.0'),
  PORT: port.default(3000),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: address.optional(),
  DATABASE_URL: database.optional(),
  DATABASE_DIRECT_URL: database.optional(),
  AUTH_SECRET: secret.optional(),
  ENCRYPTION_SECRET: secret.optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(splitList)
    .refine(
      (list) => list.every(isAddressRange),
      'must be IP addresses or ranges such as 10.0.0.0/8, with commas',
    ),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(MAX_DRAIN_SECONDS).default(0),
  X_ACCEL_REDIRECT: z
    .string()
    .regex(/^\/([A-Za-z0-9_-]+\/)+$/, 'must be a path that begins and ends with /, such as /_media/')
    .optional(),
  HTTPS_DOMAIN: domains.optional(),
  HTTPS_EMAIL: z.email('must be an e-mail address').optional(),
  HTTPS_PORT: port.default(443),
  HTTP_PORT: port.default(80),
  ACME_DIRECTORY: z
    .url({ protocol: /^https$/, error: 'must be the https address of an ACME directory' })
    .default('https://acme-v02.api.letsencrypt.org/directory'),
  TELEGRAM_API_ROOT: address.default('https://api.telegram.org'),
  REGISTRATION: z.enum(['first', 'open']).default('first'),
  SETUP_CODE: z.string().min(1).optional(),
  ARCHIVE_PASSPHRASE: z.string().min(1).optional(),
  MAX_VIDEO_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(MEDIA_BYTES.video / 1024 ** 2),
  S3_ENDPOINT: address.optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 small letters, digits, dots, hyphens',
    )
    .optional(),
  S3_KEY: z.string().min(1).optional(),
  S3_SECRET: z.string().min(1).optional(),
  S3_PATH_STYLE: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  METRICS_ADDRESS: metricsAddress.optional(),
  // The token is the only protection of /metrics, so it must be long.
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{24,}$/, 'must be 24 signs or more: letters, digits and - . _ ~ + / =')
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** All variables that are read, except those that name a file (`FILE_SETTINGS`). */
export const SETTINGS = Object.keys(schema.shape);

/** The checked settings. Empty variables count as unset. */
export type Env = z.infer<typeof schema> & {
  /**
   * Listener of the requests: `machine` is reachable only from this machine, over HTTP, while the server handles HTTPS itself (decision
   * 009). No variable sets it.
   */
  listener?: 'machine';
  /** Tunnel of the requests, if any. */
  tunnel?: TunnelName;
};

/** Required together if any is set. */
const S3_REQUIRED = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_KEY', 'S3_SECRET'] as const;

/** Returns the settings that contradict each other or lack another. */
function findConflicts(env: Env): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, HTTPS_DOMAIN, PUBLIC_URL, S3_BUCKET, X_ACCEL_REDIRECT } = env;
  const site = URL.parse(PUBLIC_URL ?? '');
  const isCertified = site?.protocol === 'https:' && HTTPS_DOMAIN?.includes(site.hostname);
  const isProxied = env.TRUSTED_PROXIES.length > 0;
  const ports = [env.PORT, env.HTTPS_PORT, env.HTTP_PORT].filter((number) => number !== 0);
  const missing = S3_REQUIRED.filter((name) => env[name] === undefined);
  const given = [...S3_REQUIRED, 'S3_PATH_STYLE' as const].find((name) => env[name] !== undefined);
  const rules: [boolean, string][] = [
    [
      HTTPS_DOMAIN !== undefined && isProxied,
      'HTTPS_DOMAIN: the product asks for a certificate by itself only where no proxy stands before it; take away HTTPS_DOMAIN, or TRUSTED_PROXIES',
    ],
    [
      HTTPS_DOMAIN !== undefined && site !== null && !isCertified,
      'PUBLIC_URL: must be the https address of one of the names in HTTPS_DOMAIN; without it, it is the first',
    ],
    [
      HTTPS_DOMAIN !== undefined && new Set(ports).size < ports.length,
      'HTTP_PORT: PORT, HTTPS_PORT and HTTP_PORT must be three different ports',
    ],
    [
      DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined,
      'DATABASE_DIRECT_URL: goes past a pooler that DATABASE_URL leads to; set that as well',
    ],
    // nginx sends from its own disk, and must be a trusted proxy.
    [
      X_ACCEL_REDIRECT !== undefined && S3_BUCKET !== undefined,
      'X_ACCEL_REDIRECT: nginx sends files from the disk; take it away, or the S3_ variables',
    ],
    [
      X_ACCEL_REDIRECT !== undefined && !isProxied,
      'X_ACCEL_REDIRECT: only a proxy that TRUSTED_PROXIES names is handed files over to; set that as well',
    ],
    [
      given !== undefined && missing.length > 0,
      `${given}: to keep the files in a bucket set ${missing.join(', ')} as well; to keep them in DATA_DIR take away every S3_ variable`,
    ],
  ];
  return rules.filter(([applies]) => applies).map(([, problem]) => problem);
}

function splitList(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Reads the environment. Throws an error that names each wrong variable and its problem. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.entries(source).filter(([, value]) => value !== undefined && value !== '');
  const values = Object.fromEntries(given);
  const unreadable = readFileSettings(values);
  const result = schema.safeParse(values);
  const unknown = Object.keys(values).filter(
    (name) => name.startsWith('S3_') && !Object.hasOwn(schema.shape, name),
  );
  const conflicts = result.success ? findConflicts(result.data) : [];
  if (result.success && unreadable.length + unknown.length + conflicts.length === 0) {
    const [name] = result.data.HTTPS_DOMAIN ?? [];
    return name === undefined ? result.data : { PUBLIC_URL: `https://${name}`, ...result.data };
  }
  const problems = [
    ...unreadable,
    ...conflicts,
    ...(result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...unknown.map((name) => `${name}: there is no such variable; take it away`),
  ];
  throw new Error(`Wrong settings in the environment. ${problems.join('; ')}`);
}

/** Secret settings. `NAME_FILE` may name a file with the value instead, as containers provide secrets. */
export const FILE_SETTINGS = [
  'AUTH_SECRET',
  'ENCRYPTION_SECRET',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'S3_KEY',
  'S3_SECRET',
  'METRICS_TOKEN',
  'SETUP_CODE',
  'ARCHIVE_PASSPHRASE',
] as const;

/** Replaces variables that name a file by the content, trimmed. Returns one sentence for each problem with such a file. */
function readFileSettings(values: Record<string, string | undefined>): string[] {
  return FILE_SETTINGS.flatMap((name) => {
    const fileVariable = `${name}_FILE`;
    const path = values[fileVariable];
    if (path === undefined) return [];
    delete values[fileVariable];
    if (values[name] !== undefined) return [`${fileVariable}: ${name} is set as well; take one of them away`];
    const text = contentOf(path);
    if (text === '') return [`${fileVariable}: ${path} is empty, or can't be read`];
    values[name] = text;
    return [];
  });
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
