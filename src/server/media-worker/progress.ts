/** Reports that a task is still working. */
export type Progress = {
  /** Adds packets, pictures or sounds that were read, decoded or written. */
  add(count: number): void;
  /** Sets the progress, 0 to 1. */
  share(share: number): void;
  /** Sets the expected work: megapixels of pictures, and seconds on two cores. */
  setWorkload(megapixels: number, seconds?: number): void;
  /** Lets the event loop run if it has been blocked for a while. */
  yieldToEventLoop(): Promise<void>;
};
