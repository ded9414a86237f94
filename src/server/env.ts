import { z } from 'zod';
import { MEDIA_BYTES } from '../domain/limits.ts';
import { isAddressRange } from './http/address.ts';

const address = z
  .string()
  .regex(/^https?:\/\/[^\s/@]+$/, 'must be an http(s) address without a path')
  .refine((text) => URL.canParse(text), 'must be an http(s) address without a path');

const schema = z.object({
  HOST: z.string().min(1).default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: address.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .refine((text) => URL.canParse(text), 'must be an address such as postgres://user:password@host/database')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine(
      (list) => list.every(isAddressRange),
      'must be IP addresses or ranges such as 10.0.0.0/8, with commas',
    ),
  TELEGRAM_API_ROOT: address.default('https://api.telegram.org'),
  REGISTRATION: z.enum(['first', 'open']).default('first'),
  SETUP_CODE: z.string().min(1).optional(),
  MAX_VIDEO_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(MEDIA_BYTES.video / 1024 ** 2),
  FFMPEG: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** The settings, checked. Empty variables count as absent. */
export type Env = z.infer<typeof schema>;

/** Reads the environment; throws an error whose message names every wrong variable and what is wrong with it. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  const unbuilt = Object.keys(given).filter((name) => name.startsWith('S3_'));
  if (result.success && unbuilt.length === 0) return result.data;
  const problems = [
    ...(result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...unbuilt.map((name) => `${name}: files can only be kept in DATA_DIR so far; take this variable away`),
  ];
  throw new Error(`Wrong settings in the environment. ${problems.join('; ')}`);
}
