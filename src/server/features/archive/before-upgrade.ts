import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { upgradeTexts } from '../../../texts/commands.ts';
import type { SecretEnv } from '../../auth/secrets.ts';
import { type BeforeUpgrade, UpgradeFailed } from '../../db/migrate.ts';
import type { StorageEnv } from '../../storage/open.ts';
import { writeArchiveFile } from './archive-file.ts';
import { productVersion } from './manifest.ts';

/** Number of backups to retain. */
const MAX_BACKUPS = 3;
/** Matches the product's own backups; other files in the folder are not touched. */
const BACKUP_NAME = /^before-[\w.-]+-from-[\w-]+\.zip$/;

/**
 * Writes an archive to `DATA_DIR/backups` before an older version's tables are migrated, and retains the last three.
 * The name holds both versions, so that a repeated start overwrites only its own backup. Rejects with `UpgradeFailed`.
 */
export function backupBeforeUpgrade(env: StorageEnv & SecretEnv): BeforeUpgrade {
  return async ({ db, kind, from }) => {
    const folder = resolve(join(env.DATA_DIR, 'backups'));
    const file = join(folder, `before-${productVersion()}-from-${from}.zip`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeArchiveFile({ db, kind }, env, file);
      await forgetOldest(folder);
      return file;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UpgradeFailed(upgradeTexts.noCopy(folder, reason), { cause: error });
    }
  };
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  const oldest = dated.toSorted((a, b) => b.at - a.at).slice(MAX_BACKUPS);
  for (const { name } of oldest) await rm(join(folder, name));
}
