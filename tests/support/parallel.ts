/** Runs jobs, `atATime` at once; returns the results in order of completion. */
export async function inParallel<T>(jobs: readonly (() => Promise<T>)[], atATime: number): Promise<T[]> {
  const results: T[] = [];
  const waiting = jobs.toReversed();
  const worker = async () => {
    for (let job = waiting.pop(); job; job = waiting.pop()) results.push(await job());
  };
  await Promise.all(Array.from({ length: Math.min(atATime, jobs.length) }, worker));
  return results;
}
