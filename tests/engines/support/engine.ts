/** One browser with one tab, driven as a hand would: real input, and nothing that the page could take for a gesture. */
export type Tab = {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Presses the browser's Back, and waits for nothing. */
  back(): Promise<void>;
  /** Presses at a place of the viewport, in CSS pixels. */
  tapAt(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  /** Returns the value of an expression in the page, as JSON would have it. It grants no gesture. */
  read<T>(expression: string): Promise<T>;
  /** Comes back to the page after its download, which some browsers show in a tab of its own. */
  comeBackFromDownload(): Promise<void>;
  /** Returns the errors in the console so far. */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export type Engine = {
  /** Starts it asking for less motion: drawn without a graphics card the sky alone is half a processor. */
  start(): Promise<Tab>;
  /** What is said of requests that found no network. */
  withoutNetwork: RegExp;
};

/** The viewport, about a phone's, in CSS pixels. */
export const VIEW = { width: 420, height: 860 } as const;
/** The longest that a browser may take for anything it is asked, in milliseconds. */
export const ANSWER_MS = 30_000;
