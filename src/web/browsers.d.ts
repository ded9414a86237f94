/**
 * What browsers have and TypeScript's own DOM doesn't name: drafts, and older names that phones still use. None is in all of them. What
 * TypeScript names as always there and some web view lacks can't be told here: those ask where they use it.
 */
interface Navigator {
  /** Chromium's. */
  readonly connection?: { readonly saveData?: boolean; readonly downlink?: number };
  /** Chromium's, where a policy doesn't refuse it. */
  getBattery?(): Promise<Battery>;
  /** Safari's. */
  readonly audioSession?: { type: string };
}

interface Battery extends EventTarget {
  readonly charging: boolean;
  /** From 0 to 1. */
  readonly level: number;
}

interface ScreenOrientation {
  lock?(to: 'landscape'): Promise<void>;
}

/** WebKit's, before it had the standard's. */
interface Document {
  readonly webkitFullscreenElement?: Element | null;
  webkitExitFullscreen?(): unknown;
}
interface HTMLElement {
  webkitRequestFullscreen?(options?: FullscreenOptions): unknown;
}
interface HTMLVideoElement {
  readonly webkitDisplayingFullscreen?: boolean;
  webkitExitFullscreen?(): void;
}

declare var trustedTypes:
  | { createPolicy(name: 'default', rules: { createHTML(text: string): string | null }): unknown }
  | undefined;
