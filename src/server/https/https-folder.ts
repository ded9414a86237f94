import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { certificateSchema } from '../../contract/admin/site-address.ts';
import { diskStorage } from '../storage/disk.ts';
import { FileMissing } from '../storage/storage.ts';

/** Account at an authority. Its URL is issued once; an order without it is refused. */
const accountSchema = z.object({ directory: z.string(), key: z.string(), url: z.string().nullable() });
export type Account = z.infer<typeof accountSchema>;

const when = z.iso.datetime().transform((moment) => new Date(moment));
/** State that survives a restart, so that repeated starts don't exceed the authority's limits. */
const memorySchema = z.object({
  /** Names and authority of the last request; different ones are requested without a wait. */
  names: z.array(z.string()),
  directory: z.string(),
  asked: z.object({ at: when, failures: z.int().min(0), waitUntil: when.nullable() }).nullable(),
  trouble: certificateSchema.shape.trouble,
});
export type StoredState = z.infer<typeof memorySchema>;

/** Content of `DATA_DIR/https`: files with mode 0600, written atomically. */
export type HttpsFolder = {
  certificate(): Promise<string | null>;
  keepCertificate(pem: string): Promise<void>;
  account(directory: string): Promise<Account | null>;
  keepAccount(account: Account): Promise<void>;
  memory(): Promise<StoredState | null>;
  remember(memory: StoredState): Promise<void>;
};

/** Opens the folder and creates it if missing. Unreadable content counts as missing. */
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

/** Returns the account file of an authority; accounts of several authorities exist side by side. */
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
