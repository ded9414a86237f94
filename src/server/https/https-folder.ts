import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { certificateSchema } from '../../contract/admin/certificate.ts';
import { diskStorage } from '../storage/disk.ts';
import { FileMissing } from '../storage/storage.ts';

/** Who we are at an authority: it gives the address once, and without it a second order is refused. */
const accountSchema = z.object({ directory: z.string(), key: z.string(), url: z.string().nullable() });
export type Account = z.infer<typeof accountSchema>;

const when = z.iso.datetime().transform((moment) => new Date(moment));
/** What has to outlive a restart, so that no series of starts asks more often than the authority likes. */
const memorySchema = z.object({
  /** For which names and which authority: others are asked for without waiting. */
  names: z.array(z.string()),
  directory: z.string(),
  asked: z.object({ at: when, failures: z.int().min(0), waitUntil: when.nullable() }).nullable(),
  trouble: certificateSchema.shape.trouble,
});
export type StoredState = z.infer<typeof memorySchema>;

/** What is kept in `DATA_DIR/https`, each file for its user alone (0600) and written whole or not at all. */
export type HttpsFolder = {
  certificate(): Promise<string | null>;
  keepCertificate(pem: string): Promise<void>;
  account(directory: string): Promise<Account | null>;
  keepAccount(account: Account): Promise<void>;
  memory(): Promise<StoredState | null>;
  remember(memory: StoredState): Promise<void>;
};

/** Opens the folder, which is made where it isn't there. What can't be read in it counts as absent. */
export async function openHttpsFolder(dataDir: string): Promise<HttpsFolder> {
  const files = await diskStorage(join(dataDir, 'https'), { alone: true });
  const read = async (key: string): Promise<string | null> => {
    try {
      return await text(await files.read(key));
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  };
  const readJson = async <S extends z.ZodType>(key: string, schema: S): Promise<z.infer<S> | null> =>
    schema.safeParse(parsed(await read(key))).data ?? null;
  const keep = async (key: string, content: string) => {
    await files.put(key, Readable.from([content]));
  };
  return {
    certificate: () => read(CERTIFICATE),
    keepCertificate: (pem) => keep(CERTIFICATE, pem),
    account: (directory) => readJson(accountFile(directory), accountSchema),
    keepAccount: (account) => keep(accountFile(account.directory), JSON.stringify(account)),
    memory: () => readJson(MEMORY, memorySchema),
    remember: (memory) => keep(MEMORY, JSON.stringify(memory)),
  };
}

const CERTIFICATE = 'certificate.pem';
const MEMORY = 'last.json';

/** One for each authority: who tries another one first keeps both. */
function accountFile(directory: string): string {
  return `account-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}.json`;
}

function parsed(json: string | null): unknown {
  try {
    return json === null ? null : JSON.parse(json);
  } catch {
    return null;
  }
}
