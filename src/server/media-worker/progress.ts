/** How work tells that it goes on. */
export type Progress = {
  /** So many packets, pictures or sounds more were read, decoded or written. */
  add(count: number): void;
  /** How far it is, 0 to 1. */
  share(share: number): void;
  /** What the work will take: megapixels of pictures, and about how many seconds of two cores. */
  setWorkload(megapixels: number, seconds?: number): void;
  /** Lets everything else have its turn, if it has waited for long. */
  yieldToEventLoop(): Promise<void>;
};
