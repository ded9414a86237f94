import { CHANNELS } from '../../../domain/channels.ts';
import type { Deps } from '../../deps.ts';
import { eveningFiles } from './evening-files.ts';
import { type FactDeps, fileCheckId, parseResult } from './facts.ts';
import { deleteOtherChecks, readChecks, saveCheck } from './ready.repo.ts';
import { checkSiteAddress } from './try-address.ts';
import { authorityClockOffset, checkChannel } from './try-channels.ts';
import { checkFile, type FileCheckResult, type FileDeps } from './try-file.ts';

export type CheckDeps = FactDeps & FileDeps & Pick<Deps, 'inTransaction' | 'live'>;

type CheckOptions = {
  /** Also decodes files that were decoded recently. */
  fresh: boolean;
  signal: AbortSignal;
  /** Called before each check. */
  progress(done: number, total: number): Promise<void>;
};

/** One check: the id of its stored result, and a function that returns the result, or null if there was nothing to check. */
type ReadinessCheck = { id: string; run(): Promise<object | null> };

/** Runs all checks one after another and stores each result. Rejects if aborted; results stored until then remain. */
export async function runChecks(deps: CheckDeps, { fresh, signal, progress }: CheckOptions): Promise<void> {
  const steps = await listChecks(deps, { fresh, signal });
  await deps.inTransaction((tx) =>
    deleteOtherChecks(
      tx,
      steps.map(({ id }) => id),
    ),
  );
  for (const [done, { id, run }] of steps.entries()) {
    signal.throwIfAborted();
    await progress(done, steps.length);
    const found = await run();
    const row = { id, found: JSON.stringify(found), at: deps.now().toISOString() };
    await deps.inTransaction((tx) => saveCheck(tx, row));
  }
}

async function listChecks(
  deps: CheckDeps,
  { fresh, signal }: Pick<CheckOptions, 'fresh' | 'signal'>,
): Promise<ReadinessCheck[]> {
  const [files, stored] = await Promise.all([eveningFiles(deps.db), readChecks(deps.db)]);
  const offsets: number[] = [];
  const addOffset = (ms: number | null) => void (ms !== null && offsets.push(ms));
  return [
    { id: 'address', run: () => checkSiteAddress(deps) },
    ...CHANNELS.map((channel) => ({
      id: channel,
      run: async () => {
        const { result, aheadMs } = await checkChannel(deps, channel, signal);
        addOffset(aheadMs);
        return result;
      },
    })),
    {
      id: 'clock',
      run: async () => {
        addOffset(await authorityClockOffset(deps, signal));
        // The smallest difference is the most reliable one: a reply may have been delayed.
        const [aheadMs = null] = offsets.toSorted((a, b) => Math.abs(a) - Math.abs(b));
        return aheadMs === null ? null : { aheadMs };
      },
    },
    ...files.map((file) => {
      const known = parseResult<FileCheckResult>(stored.get(fileCheckId(file.id)));
      return { id: fileCheckId(file.id), run: () => checkFile(deps, file, { known, fresh, signal }) };
    }),
  ];
}
