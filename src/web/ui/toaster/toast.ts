import type { ExternalToast, toast } from 'sonner';

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

/** The notices with an id that are on the screen and aren't closing: by what sonner knows them. */
const shown = new Map<string, string>();
let names = 0;

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

/** Takes a notice away, if it is still there. */
export function dismissToast(id: string): void {
  loading?.then(
    (sonner) => {
      const own = shown.get(id);
      if (own === undefined) return;
      shown.delete(id);
      sonner.dismiss(own);
    },
    () => {},
  );
}

/** Shows what was said elsewhere before, and logged there. */
export const toastAgain = show;

function show(kind: 'error' | 'success', message: string, options: ToastOptions = {}): void {
  prepareToasts().then(
    (sonner) => sonner[kind](message, named(options)),
    // The sentence must be read even where the toasts' code can't be fetched.
    () => plainNotice(message, options.duration ?? 4_000),
  );
}

/**
 * A notice that is closing takes what is said by the same id with it, 200 ms later: so each has a name of its own there, and gives it back as
 * soon as it begins to close.
 */
function named({ id, action, ...options }: ToastOptions): ExternalToast {
  if (id === undefined) return { ...options, ...(action && { action }) };
  const own = shown.get(id) ?? `${id} ${(names += 1)}`;
  shown.set(id, own);
  const closes = () => void (shown.get(id) === own && shown.delete(id));
  const pressed = action && {
    label: action.label,
    onClick: () => {
      closes();
      action.onClick();
    },
  };
  return { ...options, id: own, onAutoClose: closes, onDismiss: closes, ...(pressed && { action: pressed }) };
}

function plainNotice(message: string, duration: number): void {
  const notice = document.createElement('p');
  notice.className = 'plain-notice';
  notice.role = 'status';
  notice.textContent = message;
  document.body.append(notice);
  setTimeout(() => notice.remove(), duration);
}
