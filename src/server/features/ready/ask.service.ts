import { CHANNELS } from '../../../domain/channels.ts';
import type { Deps } from '../../deps.ts';
import { eveningFiles } from './evening-files.ts';
import { type FactDeps, fileTry, foundIn } from './facts.ts';
import { keepOnly, keepTry, readTries } from './tries.repo.ts';
import { tryAddress } from './try-address.ts';
import { tryAuthority, tryChannel } from './try-channels.ts';
import { type FileDeps, type FileTry, tryFile } from './try-file.ts';

export type AskDeps = FactDeps & FileDeps & Pick<Deps, 'inTransaction' | 'live'>;

type How = {
  /** Decodes also what was decoded lately. */
  fresh: boolean;
  signal: AbortSignal;
  /** Told after each thing that was tried. */
  progress(done: number, total: number): Promise<void>;
};

/** Something to try: under what it is kept, and what was found; null where there is nothing to keep. */
type Step = { id: string; run(): Promise<object | null> };

/** Tries everything, one thing after the other, and keeps what was found. Rejects when it is stopped; what was found until then stays. */
export async function tryEverything(deps: AskDeps, { fresh, signal, progress }: How): Promise<void> {
  const steps = await stepsOf(deps, { fresh, signal });
  await deps.inTransaction((tx) =>
    keepOnly(
      tx,
      steps.map(({ id }) => id),
    ),
  );
  for (const [done, { id, run }] of steps.entries()) {
    signal.throwIfAborted();
    await progress(done, steps.length);
    const found = await run();
    const row = { id, found: JSON.stringify(found), at: deps.now().toISOString() };
    await deps.inTransaction((tx) => keepTry(tx, row));
  }
}

async function stepsOf(deps: AskDeps, { fresh, signal }: Pick<How, 'fresh' | 'signal'>): Promise<Step[]> {
  const [files, tries] = await Promise.all([eveningFiles(deps.db), readTries(deps.db)]);
  const told: number[] = [];
  const hear = (ms: number | null) => void (ms !== null && told.push(ms));
  return [
    { id: 'address', run: () => tryAddress(deps) },
    ...CHANNELS.map((channel) => ({
      id: channel,
      run: async () => {
        const { tried, aheadMs } = await tryChannel(deps, channel, signal);
        hear(aheadMs);
        return tried;
      },
    })),
    {
      id: 'clock',
      run: async () => {
        hear(await tryAuthority(deps, signal));
        // Whoever differs least is believed: an answer may have been long on its way.
        const [aheadMs = null] = told.toSorted((a, b) => Math.abs(a) - Math.abs(b));
        return aheadMs === null ? null : { aheadMs };
      },
    },
    ...files.map((file) => {
      const known = foundIn<FileTry>(tries.get(fileTry(file.id)));
      return { id: fileTry(file.id), run: () => tryFile(deps, file, { known, fresh, signal }) };
    }),
  ];
}
