import { isOutdated } from './reload.ts';
import { sleep } from './ui/waiting.ts';
import type * as Experience from './visitor/experience/page.tsx';

declare global {
  interface Navigator {
    /** Chromium only. */
    readonly connection?: { readonly saveData?: boolean; readonly downlink?: number };
  }
}

type ExperienceChunk = typeof Experience;

/** Waits between attempts to load the chunk, in ms: one lost packet must not prevent the evening. */
const RETRIES_MS = [500, 1_500, 4_000];

let loading: Promise<ExperienceChunk> | undefined;

/** Loads the experience chunk, once. */
export function loadExperience(): Promise<ExperienceChunk> {
  loading ??= fetchChunk();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Loads the experience early, while the visitor types; not with the data saver on. */
export function prepareExperience(): void {
  if (navigator.connection?.saveData !== true) openWith(({ prepareLetter }) => prepareLetter());
}

/**
 * Calls `open` with the chunk that opens the letter, before the evening is rendered. The page itself reports a chunk that can't be
 * loaded.
 */
export function openWith(open: (experience: ExperienceChunk) => Promise<unknown>): void {
  loadExperience()
    .then(open)
    .catch(() => {});
}

async function fetchChunk(attempts = 0): Promise<ExperienceChunk> {
  try {
    return await import('./visitor/experience/page.tsx');
  } catch (error) {
    const wait = RETRIES_MS[attempts];
    if (wait === undefined || (await isOutdated())) throw error;
    await sleep(wait);
    return fetchChunk(attempts + 1);
  }
}
