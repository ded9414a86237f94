import { useSyncExternalStore } from 'react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { guardLeaving } from './leave-guard.ts';
import { needsThePage, type Upload } from './upload.ts';

/*
 * The uploads of this page. They live beside the pages of the administration, not in one of them: a video takes its time, and the
 * administrator goes on with something else.
 */
let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();

/** Puts a new upload on the list. */
export function addUpload(upload: Upload): void {
  change([...uploads, upload]);
}

/** Changes what is known of an upload; one that is gone stays gone. */
export function updateUpload(key: string, news: Partial<Pick<Upload, 'sent' | 'state'>>): void {
  change(uploads.map((upload) => (upload.key === key ? { ...upload, ...news } : upload)));
}

/** Takes an upload off the list. */
export function removeUpload(key: string): void {
  change(uploads.filter((upload) => upload.key !== key));
}

export function findUpload(key: string): Upload | undefined {
  return uploads.find((upload) => upload.key === key);
}

/** Every upload of this page, oldest first. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, current);
}

/** The upload of a slot; there is one at a time. */
export function useUpload(slot: SlotName): Upload | undefined {
  return useUploads().find((upload) => upload.slot === slot);
}

function change(next: readonly Upload[]): void {
  uploads = next;
  guardLeaving(uploads.some(needsThePage));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function current(): readonly Upload[] {
  return uploads;
}
