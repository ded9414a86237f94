import { CHANNELS } from '../../../domain/channels.ts';
import type { Deps } from '../../deps.ts';
import { eveningFiles } from './evening-files.ts';
import { type FactDeps, fileCheckId, parseResult } from './facts.ts';
import { deleteOtherChecks, readChecks, saveCheck } from './tries.repo.ts';
import { checkSiteAddress } from './try-address.ts';
import { authorityClockOffset, checkChannel } from './try-channels.ts';
import { checkFile, type FileCheckResult, type FileDeps } from './try-file.ts';

export type CheckDeps = FactDeps & FileDeps & Pick<Deps, 'inTransaction' | 'live'>;

type CheckOptions = {
  /** Decodes also what was decoded lately. */
  fresh: boolean;
  signal: AbortSignal;
  /** Told after each thing that was tried. */
  progress(done: number, total: number): Promise<void>;
};

/** Something to try: under what it is kept, and what was found; null where there is nothing to keep. */
type ReadinessCheck = { id: string; run(): Promise<object | null> };

/** Tries everything, one thing after the other, and keeps what was found. Rejects when it is stopped; what was found until then stays. */
export async function runChecks(deps: CheckDeps, { fresh, signal, progress }: CheckOptions): Promise<void> {
  const steps = await stepsOf(deps, { fresh, signal });
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

async function stepsOf(
  deps: CheckDeps,
  { fresh, signal }: Pick<CheckOptions, 'fresh' | 'signal'>,
): Promise<ReadinessCheck[]> {
  const [files, tries] = await Promise.all([eveningFiles(deps.db), readChecks(deps.db)]);
  const told: number[] = [];
  const hear = (ms: number | null) => void (ms !== null && told.push(ms));
  return [
    { id: 'address', run: () => checkSiteAddress(deps) },
    ...CHANNELS.map((channel) => ({
      id: channel,
      run: async () => {
        const { tried, aheadMs } = await checkChannel(deps, channel, signal);
        hear(aheadMs);
        return tried;
      },
    })),
    {
      id: 'clock',
      run: async () => {
        hear(await authorityClockOffset(deps, signal));
        // Whoever differs least is believed: an answer may have been long on its way.
        const [aheadMs = null] = told.toSorted((a, b) => Math.abs(a) - Math.abs(b));
        return aheadMs === null ? null : { aheadMs };
      },
    },
    ...files.map((file) => {
      const known = parseResult<FileCheckResult>(tries.get(fileCheckId(file.id)));
      return { id: fileCheckId(file.id), run: () => checkFile(deps, file, { known, fresh, signal }) };
    }),
  ];
}
