/**
 * The phase before a stop: requests are still answered, but `/readyz` reports 503 and each response closes its connection, so that a proxy
 * can switch to other nodes.
 */
export type Drain = {
  /** True after `begin`. */
  readonly begun: boolean;
  /** Begins the drain; resolves after `seconds`. Later calls wait for the first. */
  begin(seconds: number): Promise<void>;
};

export function createDrain(): Drain {
  let finished: Promise<void> | null = null;
  return {
    get begun() {
      return finished !== null;
    },
    begin(seconds) {
      finished ??=
        seconds === 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, seconds * 1_000));
      return finished;
    },
  };
}
