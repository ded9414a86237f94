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

/** Waits between the tries to fetch the chunk, in milliseconds: by then the code is spent, a lost packet must not end the evening. */
const RETRIES_MS = [500, 1_500, 4_000];

let loading: Promise<ExperienceChunk> | undefined;

/** The experience's code, fetched once. */
export function loadExperience(): Promise<ExperienceChunk> {
  loading ??= fetchChunk();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Fetches it early, while she types; not for who saves data. */
export function prepareExperience(): void {
  if (navigator.connection?.saveData !== true) openWith(({ prepareLetter }) => prepareLetter());
}

/** The letter is opened by what comes with the evening, before the evening itself is drawn. Where that can't be fetched, the page says so. */
export function openWith(open: (experience: ExperienceChunk) => Promise<unknown>): void {
  loadExperience()
    .then(open)
    .catch(() => {});
}

async function fetchChunk(tried = 0): Promise<ExperienceChunk> {
  try {
    return await import('./visitor/experience/page.tsx');
  } catch (error) {
    const wait = RETRIES_MS[tried];
    if (wait === undefined || (await isOutdated())) throw error;
    await sleep(wait);
    return fetchChunk(tried + 1);
  }
}
