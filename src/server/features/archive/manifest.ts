import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../place.ts';

/** What this product writes, and the newest it can read. */
export const FORMAT = 1;
/** The last entry, and the first that is read. */
export const MANIFEST = 'manifest.json';

const hashed = z.strictObject({ size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** What an archive says of itself. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The last migration the rows have been through. */
  schema: z.string(),
  /** The product's version that wrote it: for people. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** How many rows of each table, and how many files. */
  counts: z.strictObject({ tables: z.record(z.string(), z.int().min(0)), media: z.int().min(0) }),
  /** Every other entry by its name. */
  entries: z.record(z.string(), hashed),
  /** Names of files that had a row and no bytes any more when the archive was made. */
  missing: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The product's version, as package.json has it. */
export function productVersion(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
