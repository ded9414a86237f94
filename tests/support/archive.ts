import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openUnmigrated } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { ARCHIVED_TABLES, type Manifest } from '../../src/server/features/archive/rules.ts';
import { type ArchiveSource, writeArchive } from '../../src/server/features/archive/write.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { bundledProgram } from './bundled.ts';
import { PROCESS_ENV } from './process-env.ts';

export type Place = { DATA_DIR: string; DATABASE_URL?: string };

/** Runs `sorpresa backup` or `sorpresa restore` in a separate process. `node`: arguments for Node itself. */
export async function command(
  name: 'backup' | 'restore',
  place: Place & Record<string, string | undefined>,
  args: string[],
  node: string[] = [],
) {
  const env = { ...PROCESS_ENV, ...place };
  const command = [...node, await bundledProgram(), name, ...args];
  return new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code ?? -1), output: `${stdout}${stderr}` }),
    );
  });
}

/** Creates an archive of an installation in this process. */
export async function archiveOf(
  place: Place,
  file: string,
  change: Partial<ArchiveSource> = {},
): Promise<Manifest> {
  const database = await openUnmigrated({ DATABASE_URL: undefined, ...place });
  try {
    const storage = await diskStorage(join(place.DATA_DIR, 'media'));
    const source = { ...database, storage, secrets: {}, ...change };
    return await writeArchive(source, createWriteStream(file), new Date());
  } finally {
    await database.close();
  }
}

/** Returns every row of the archive's tables as sorted text. */
export async function archivedRows(db: Db): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of ARCHIVED_TABLES) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    tables[table] = rows.map((row) => JSON.stringify(Object.entries(row).map(plain).toSorted())).toSorted();
  }
  return tables;
}

/** Normalizes better-auth's booleans, which are numbers on SQLite. */
function plain([name, value]: [string, unknown]): [string, unknown] {
  if (name === 'emailVerified') return [name, Boolean(value)];
  return [name, value];
}
