import type { toast } from 'sonner';

export type ToastOptions = {
  description?: string;
  /** Milliseconds; the spec's 4000 unless told. */
  duration?: number;
  /** A notice with the id of one on the screen takes its place. */
  id?: string;
  /** A button in the notice. */
  action?: { label: string; onClick: () => void };
};
type Sonner = typeof toast;

let areaName = '';
let loading: Promise<Sonner> | undefined;

/** What screen readers call the toast area. */
export function nameToasts(name: string): void {
  areaName = name;
}

/** Fetches the toasts' code and puts their live region on the page, so that the first toast is announced. */
export function prepareToasts(): Promise<Sonner> {
  loading ??= import('./mount.tsx').then(({ mountToasts }) => mountToasts(areaName));
  // What failed without a network may be had later.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Every error that is shown is also left in the console (spec 8). */
export const toastError = (message: string, options?: ToastOptions): void => {
  console.warn(message);
  show('error', message, options);
};
export const toastSuccess = (message: string, options?: ToastOptions): void =>
  show('success', message, options);

/** Shows what was said elsewhere before, and logged there. */
export const toastAgain = show;

function show(kind: 'error' | 'success', message: string, options: ToastOptions = {}): void {
  prepareToasts().then(
    (sonner) => sonner[kind](message, options),
    // The sentence must be read even where the toasts' code can't be fetched.
    () => plainNotice(message, options.duration ?? 4_000),
  );
}

function plainNotice(message: string, duration: number): void {
  const notice = document.createElement('p');
  notice.className = 'plain-notice';
  notice.role = 'status';
  notice.textContent = message;
  document.body.append(notice);
  setTimeout(() => notice.remove(), duration);
}
