import { pathsOf } from '../../../src/server/media-worker/door.ts';
import type { Product } from '../../../src/server/start.ts';

type HeldWork = {
  /** Where the file lies that the media worker is at. */
  begun: Promise<string>;
  letGo: () => void;
};

/** Holds the media worker's hand: it is half done with the next file, and that and all after it go no further until it is let go. */
export function holdWork({ deps: { mediaWorker } }: Pick<Product, 'deps'>): HeldWork {
  const { do: work } = mediaWorker;
  const free = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<string>();
  let isNext = true;
  mediaWorker.do = async (order, course) => {
    if (isNext) {
      isNext = false;
      course.progress(0.5);
      begun.resolve(pathsOf(order)[0] ?? '');
    }
    const stopped = new Promise((resolve) => course.signal.addEventListener('abort', resolve));
    if (!course.signal.aborted) await Promise.race([free.promise, stopped]);
    return work(order, course);
  };
  const letGo = () => {
    mediaWorker.do = work;
    free.resolve();
  };
  return { begun: begun.promise, letGo };
}
