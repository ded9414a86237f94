import type { ExternalToast, toast } from 'sonner';

export type ToastOptions = {
  description?: string;
  /** Duration in ms; default 4000, as in the spec. */
  duration?: number;
  /** Replaces a visible toast with this id. */
  id?: string;
  /** Button in the toast. */
  action?: { label: string; onClick: () => void };
};
type Sonner = typeof toast;

/** Visible toasts by id, except closing ones, with their names in sonner. */
const shown = new Map<string, string>();
let names = 0;

let areaName = '';
let loading: Promise<Sonner> | undefined;

/** Sets the toast area's name for screen readers. */
export function nameToasts(name: string): void {
  areaName = name;
}

/** Loads the toasts' code and adds their live region to the page, so that the first toast is announced. */
export function prepareToasts(): Promise<Sonner> {
  loading ??= import('./mount.tsx').then(({ mountToasts }) => mountToasts(areaName));
  // A failed load is repeated at the next call.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Shows an error and logs it, as every visible error (spec 8). */
export const toastError = (message: string, options?: ToastOptions): void => {
  console.warn(message);
  show('error', message, options);
};
export const toastSuccess = (message: string, options?: ToastOptions): void =>
  show('success', message, options);

/** Dismisses a toast, if it is still visible. */
export function dismissToast(id: string): void {
  loading?.then(
    (sonner) => {
      const sonnerId = shown.get(id);
      if (sonnerId === undefined) return;
      shown.delete(id);
      sonner.dismiss(sonnerId);
    },
    () => {},
  );
}

/** Shows a message that was shown and logged elsewhere before. */
export const toastAgain = show;

function show(kind: 'error' | 'success', message: string, options: ToastOptions = {}): void {
  prepareToasts().then(
    (sonner) => sonner[kind](message, toSonnerOptions(options)),
    // The message must be readable even if the toasts' code can't be loaded.
    () => plainNotice(message, options.duration ?? 4_000),
  );
}

/**
 * Gives each toast a new name in sonner and releases the id as soon as it begins to close. A closing toast would otherwise remove a new
 * one with its id 200 ms later.
 */
function toSonnerOptions({ id, action, ...options }: ToastOptions): ExternalToast {
  if (id === undefined) return { ...options, ...(action && { action }) };
  const sonnerId = shown.get(id) ?? `${id} ${(names += 1)}`;
  shown.set(id, sonnerId);
  const onClose = () => void (shown.get(id) === sonnerId && shown.delete(id));
  const pressed = action && {
    label: action.label,
    onClick: () => {
      onClose();
      action.onClick();
    },
  };
  return {
    ...options,
    id: sonnerId,
    onAutoClose: onClose,
    onDismiss: onClose,
    ...(pressed && { action: pressed }),
  };
}

function plainNotice(message: string, duration: number): void {
  const notice = document.createElement('p');
  notice.className = 'plain-notice';
  notice.role = 'status';
  notice.textContent = message;
  document.body.append(notice);
  setTimeout(() => notice.remove(), duration);
}
