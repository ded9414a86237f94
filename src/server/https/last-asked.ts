import type { CertificateTrouble } from '../../contract/admin/certificate.ts';
import type { Deps } from '../deps.ts';
import type { HttpsFolder, StoredState } from './https-folder.ts';
import type { LastRequest } from './rules.ts';

/** When the authority was asked last, and what became of it; it outlives a restart. */
export type LastRequestStore = {
  asked(): LastRequest | null;
  trouble(): CertificateTrouble | null;
  /** Another trouble, or none. Returns whether it is another. */
  setTrouble(next: CertificateTrouble | null): boolean;
  /** Writes down when it was asked, with what was the matter. */
  keep(next: LastRequest | null, trouble?: CertificateTrouble | null): Promise<void>;
};

/** Reads what is kept. What was written for other names or of another authority says nothing of these. */
export async function openLastRequestStore(
  folder: HttpsFolder,
  { names, directory }: { names: readonly string[]; directory: string },
  log: Deps['log'],
): Promise<LastRequestStore> {
  const memory = await folder.memory();
  const isOurs = memory?.directory === directory && memory.names.join() === names.join();
  let { asked, trouble }: Pick<StoredState, 'asked' | 'trouble'> = isOurs
    ? memory
    : { asked: null, trouble: null };
  return {
    asked: () => asked,
    trouble: () => trouble,
    setTrouble(next) {
      const isNews = JSON.stringify(next) !== JSON.stringify(trouble);
      trouble = next;
      return isNews;
    },
    async keep(next, why = trouble) {
      asked = next;
      // Where nothing can be written the certificate is what matters, and that is told by itself.
      await folder
        .remember({ names: [...names], directory, asked, trouble: why?.port === null ? why : null })
        .catch((error: unknown) => log.warn({ err: error }, 'when a certificate was asked for is not kept'));
    },
  };
}
