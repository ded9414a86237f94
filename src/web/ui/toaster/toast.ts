export type ToastOptions = {
  description?: string /** Milliseconds; the spec's 4000 unless told. */;
  duration?: number;
};
type Sonner = typeof import('./mount.tsx').toast;

let areaName = '';
let loading: Promise<Sonner> | undefined;

/** What screen readers call the toast area. */
export function nameToasts(name: string): void {
  areaName = name;
}

let host: HTMLElement | null = null;
const movers = new Set<() => void>();

/** Puts the notices inside what covers the page, so that they stay in front and within reach; null takes them back out. */
export function showToastsIn(element: HTMLElement | null): void {
  host = element;
  for (const move of movers) move();
}

/** Where notices can be seen: what isn't inside the full-screen element can't, while there is one. */
export function toastsHost(): HTMLElement {
  return host ?? (document.fullscreenElement as HTMLElement | null) ?? document.body;
}

/** Calls back whenever `toastsHost()` may have changed. */
export function onToastsHost(move: () => void): void {
  movers.add(move);
  document.addEventListener('fullscreenchange', move);
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

export const toastError = (message: string, options?: ToastOptions): void => show('error', message, options);
export const toastSuccess = (message: string, options?: ToastOptions): void =>
  show('success', message, options);

function show(kind: 'error' | 'success', message: string, options: ToastOptions = {}): void {
  prepareToasts().then(
    (toast) => toast[kind](message, options),
    // The sentence must be read even where the toasts' code can't be fetched.
    () => plainNotice(message, options.duration ?? 4_000),
  );
}

function plainNotice(message: string, duration: number): void {
  const notice = document.createElement('p');
  notice.className = 'plain-notice';
  notice.role = 'status';
  notice.textContent = message;
  toastsHost().append(notice);
  setTimeout(() => notice.remove(), duration);
}
