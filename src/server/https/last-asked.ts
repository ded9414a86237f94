import type { CertificateTrouble } from '../../contract/admin/site-address.ts';
import type { Deps } from '../deps.ts';
import type { HttpsFolder, StoredState } from './https-folder.ts';
import type { LastRequest } from './rules.ts';

/** Time and result of the last request to the authority; survives a restart. */
export type LastRequestStore = {
  asked(): LastRequest | null;
  trouble(): CertificateTrouble | null;
  /** Sets the trouble. Returns true if it differs from the previous one. */
  setTrouble(next: CertificateTrouble | null): boolean;
  /** Stores the last request and the trouble. */
  keep(next: LastRequest | null, trouble?: CertificateTrouble | null): Promise<void>;
};

/** Opens the stored state. State of other names or another authority is ignored. */
export async function openLastRequestStore(
  folder: HttpsFolder,
  { names, directory }: { names: readonly string[]; directory: string },
  log: Deps['log'],
): Promise<LastRequestStore> {
  const memory = await folder.memory();
  const isSameOrder = memory?.directory === directory && memory.names.join() === names.join();
  let { asked, trouble }: Pick<StoredState, 'asked' | 'trouble'> = isSameOrder
    ? memory
    : { asked: null, trouble: null };
  return {
    asked: () => asked,
    trouble: () => trouble,
    setTrouble(next) {
      const isChanged = JSON.stringify(next) !== JSON.stringify(trouble);
      trouble = next;
      return isChanged;
    },
    async keep(next, why = trouble) {
      asked = next;
      // A failed write is only logged: writing the certificate fails as well and is reported separately.
      await folder
        .remember({ names: [...names], directory, asked, trouble: why?.port === null ? why : null })
        .catch((error: unknown) => log.warn({ err: error }, 'when a certificate was asked for is not kept'));
    },
  };
}
