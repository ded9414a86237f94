import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../place.ts';

/** Format that this version writes, and the newest that it reads. */
export const FORMAT = 1;
/** Last entry of the archive; read first. */
export const MANIFEST = 'manifest.json';

const hashed = z.strictObject({ size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** Contents of the manifest. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Last migration applied to the rows. */
  schema: z.string(),
  /** Version of the product that wrote the archive, for display only. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** Rows per table and number of files. */
  counts: z.strictObject({ tables: z.record(z.string(), z.int().min(0)), media: z.int().min(0) }),
  /** Size and hash of every other entry, by name. */
  entries: z.record(z.string(), hashed),
  /** Names of files that had a row but no bytes when the archive was written. */
  missing: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Returns the version in package.json. */
export function productVersion(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
