import { useSyncExternalStore } from 'react';
import type { SlotName } from '../../../../../domain/media.ts';
import { createStore } from '../../../../ui/store.ts';
import { needsOpenPage, type Upload } from './upload.ts';

/* The uploads of this page load. They are independent of the administration's pages, so that the administrator can continue
   elsewhere while a video is sent. */
const uploads = createStore<readonly Upload[]>([]);

export function addUpload(upload: Upload): void {
  change([...uploads.state(), upload]);
}

/** Updates an upload; does nothing if it was removed. */
export function updateUpload(key: string, changes: Partial<Pick<Upload, 'upload' | 'sent' | 'state'>>): void {
  change(uploads.state().map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
}

export function removeUpload(key: string): void {
  change(uploads.state().filter((upload) => upload.key !== key));
}

export function findUpload(key: string): Upload | undefined {
  return uploads.state().find((upload) => upload.key === key);
}

/** Returns all uploads of this page load, oldest first. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.state);
}

/** Returns the upload of a slot; there is at most one. */
export function useUpload(slot: SlotName): Upload | undefined {
  return useUploads().find((upload) => upload.slot === slot);
}

function change(next: readonly Upload[]): void {
  guardLeaving(next.some(needsOpenPage));
  uploads.set(next);
}

let guarding = false;
let wakeLock: Promise<WakeLockSentinel | undefined> | undefined;

/** While bytes are sent, confirms leaving the page and keeps a phone's screen on, because a sleeping phone sends nothing. */
function guardLeaving(needed: boolean): void {
  if (needed === guarding) return;
  guarding = needed;
  if (needed) {
    addEventListener('beforeunload', askBeforeLeaving);
    document.addEventListener('visibilitychange', keepAwake);
    keepAwake();
  } else {
    removeEventListener('beforeunload', askBeforeLeaving);
    document.removeEventListener('visibilitychange', keepAwake);
    void wakeLock?.then((lock) => lock?.release());
    wakeLock = undefined;
  }
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** The browser drops the lock when the page is hidden. Without a lock, the upload still resumes automatically. */
function keepAwake(): void {
  if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
  wakeLock = navigator.wakeLock.request('screen').catch(() => undefined);
}
