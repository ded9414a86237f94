/**
 * A process that is about to stop and still answers, so that a proxy before it has time to send everybody to another node: `/readyz` says
 * no, and every connection ends with its answer.
 */
export type Drain = {
  /** Has it begun? */
  readonly begun: boolean;
  /** Begins it; resolves when so many seconds are over. Once is enough: later calls wait for the first. */
  begin(seconds: number): Promise<void>;
};

export function createDrain(): Drain {
  let over: Promise<void> | null = null;
  return {
    get begun() {
      return over !== null;
    },
    begin(seconds) {
      over ??= seconds === 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, seconds * 1_000));
      return over;
    },
  };
}
