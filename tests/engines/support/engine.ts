/** One browser with one tab, driven by real input. Nothing else counts as a gesture for the page. */
export type Tab = {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Presses the browser's Back without waiting. */
  back(): Promise<void>;
  /** Presses at a point of the viewport, in CSS pixels. */
  tapAt(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  /** Returns the value of an expression in the page, as JSON. Grants no gesture. */
  read<T>(expression: string): Promise<T>;
  /** Returns to the page after its download, which some browsers show in a new tab. */
  returnFromDownload(): Promise<void>;
  /** Returns all console errors until now. */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export type Engine = {
  /** Starts the browser with reduced motion: drawing the sky without a graphics card takes half a processor. */
  start(): Promise<Tab>;
  /** Matches the errors of requests without a network. */
  withoutNetwork: RegExp;
};

/** The viewport in CSS pixels, about a phone's. */
export const VIEW = { width: 420, height: 860 } as const;
/** Timeout of one browser command, in ms. */
export const ANSWER_MS = 30_000;
