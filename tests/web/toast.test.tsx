import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Toast from '../../src/web/ui/toaster/toast.ts';

/** Toasts: one per id, closed by their button, and readable even if their code can't be loaded. */

type ToastOptions = {
  id?: string;
  duration?: number;
  action?: { label: string; onClick: () => void };
  onAutoClose?: () => void;
  onDismiss?: () => void;
};
const MOUNT = '../../src/web/ui/toaster/mount.tsx';
let toasts: typeof Toast;
let shown: { kind: string; message: string; told: ToastOptions }[];
let dismissed: string[];
let names: string[];
let lost: boolean;

beforeEach(async () => {
  vi.resetModules();
  document.body.replaceChildren();
  [shown, dismissed, names, lost] = [[], [], [], false];
  const show = (kind: string) => (message: string, told: ToastOptions) =>
    void shown.push({ kind, message, told });
  vi.doMock(MOUNT, () => ({
    mountToasts: (name: string) => {
      names.push(name);
      if (lost) throw new TypeError('Failed to fetch');
      return {
        error: show('error'),
        success: show('success'),
        dismiss: (id: string) => dismissed.push(id),
      };
    },
  }));
  vi.spyOn(console, 'warn').mockReturnValue();
  toasts = await import('../../src/web/ui/toaster/toast.ts');
});
afterEach(() => {
  vi.doUnmock(MOUNT);
  // Later test files must not get modules created with these mocks.
  vi.resetModules();
});
const settled = (times: number) => vi.waitFor(() => expect(shown).toHaveLength(times));

test('shows and logs errors, and only shows successes', async () => {
  toasts.nameToasts('Notifiche');
  toasts.toastError('Non va.', { duration: 9_000 });
  toasts.toastSuccess('Salvato.');
  await settled(2);
  expect(shown).toEqual([
    { kind: 'error', message: 'Non va.', told: { duration: 9_000 } },
    { kind: 'success', message: 'Salvato.', told: {} },
  ]);
  expect(console.warn).toHaveBeenCalledExactlyOnceWith('Non va.');
  // The code of the toasts is loaded once.
  expect(names).toEqual(['Notifiche']);
});

test('replaces a toast with the same id, and creates another after it closed', async () => {
  for (const message of ['a', 'b']) toasts.toastError(message, { id: 'line' });
  toasts.toastError('c', { id: 'other' });
  await settled(3);
  const [one, same, other] = shown.map(({ told }) => told);
  expect(same?.id).toBe(one?.id);
  expect(other?.id).not.toBe(one?.id);
  one?.onAutoClose?.();
  toasts.toastError('d', { id: 'line' });
  await settled(4);
  const next = shown[3]?.told;
  expect(next?.id).not.toBe(one?.id);
  // A late end of the first toast does not close the next one.
  one?.onDismiss?.();
  toasts.toastError('e', { id: 'line' });
  await settled(5);
  expect(shown[4]?.told.id).toBe(next?.id);
});

test('runs the button’s action and closes the toast, and dismisses an open one once', async () => {
  const onClick = vi.fn();
  toasts.dismissToast('undo');
  toasts.toastSuccess('Tolto.', { id: 'undo', action: { label: 'Annulla', onClick } });
  await settled(1);
  const named = shown[0]?.told;
  named?.action?.onClick();
  expect(onClick).toHaveBeenCalledOnce();
  toasts.toastSuccess('Tolto.', { id: 'undo' });
  await settled(2);
  const next = shown[1]?.told;
  expect([next?.id === named?.id, next && 'action' in next]).toEqual([false, false]);
  for (const id of ['undo', 'undo', 'other']) toasts.dismissToast(id);
  await vi.waitFor(() => expect(dismissed).toEqual([next?.id]));
  toasts.toastError('b', { id: 'undo' });
  await settled(3);
  expect(shown[2]?.told.id).not.toBe(next?.id);
});

test('returns the focus after its button, and never moves it later', async () => {
  vi.doUnmock(MOUNT);
  const [before, after] = [document.createElement('button'), document.createElement('input')];
  document.body.append(before, after);
  before.focus();
  await toasts.prepareToasts();
  toasts.toastSuccess('Tolto.', { action: { label: 'Annulla', onClick: () => {} } });
  const button = await screen.findByRole('button', { name: 'Annulla' });
  button.focus();
  button.click();
  expect(document.activeElement).toBe(before);
  after.focus();
  const gone = () => expect(document.querySelector('[data-sonner-toaster]')).toBeNull();
  await vi.waitFor(gone, { timeout: 60_000 });
  expect(document.activeElement).toBe(after);
});

test('shows plain text for the same time if its code can’t be loaded, and loads it again next time', async () => {
  vi.useFakeTimers();
  lost = true;
  toasts.toastError('Sei senza rete.');
  await vi.advanceTimersByTimeAsync(0);
  await vi.dynamicImportSettled();
  const notice = () => document.body.firstElementChild ?? undefined;
  expect(notice()?.tagName).toBe('P');
  expect(notice()?.role).toBe('status');
  expect(notice()?.textContent).toBe('Sei senza rete.');
  await vi.advanceTimersByTimeAsync(3_999);
  expect(notice()).toBeDefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(notice()).toBeUndefined();
  lost = false;
  toasts.toastError('Ancora.');
  await vi.advanceTimersByTimeAsync(0);
  await vi.dynamicImportSettled();
  expect(shown.map(({ message }) => message)).toEqual(['Ancora.']);
});
