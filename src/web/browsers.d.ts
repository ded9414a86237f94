/**
 * Browser APIs missing from TypeScript's DOM types: drafts, and older names that phones still use. None exists in every browser. APIs
 * that TypeScript declares but some web view misses can't be declared optional here; the code that uses them checks.
 */
interface Navigator {
  /** Chromium only. */
  readonly connection?: { readonly saveData?: boolean; readonly downlink?: number };
  /** Chromium only, unless a policy refuses it. */
  getBattery?(): Promise<Battery>;
  /** Safari only. */
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

/** WebKit's names from before the standard. */
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
