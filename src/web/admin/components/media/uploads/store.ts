import { useSyncExternalStore } from 'react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { createStore } from '../../../../ui/store.ts';
import { guardLeaving } from './leave-guard.ts';
import { needsThePage, type Upload } from './upload.ts';

/*
 * The uploads of this page. They live beside the pages of the administration, not in one of them: a video takes its time, and the
 * administrator goes on with something else.
 */
const uploads = createStore<readonly Upload[]>([]);

/** Puts a new upload on the list. */
export function addUpload(upload: Upload): void {
  change([...uploads.state(), upload]);
}

/** Changes what is known of an upload; one that is gone stays gone. */
export function updateUpload(key: string, news: Partial<Pick<Upload, 'upload' | 'sent' | 'state'>>): void {
  change(uploads.state().map((upload) => (upload.key === key ? { ...upload, ...news } : upload)));
}

/** Takes an upload off the list. */
export function removeUpload(key: string): void {
  change(uploads.state().filter((upload) => upload.key !== key));
}

export function findUpload(key: string): Upload | undefined {
  return uploads.state().find((upload) => upload.key === key);
}

/** Every upload of this page, oldest first. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.state);
}

/** The upload of a slot; there is one at a time. */
export function useUpload(slot: SlotName): Upload | undefined {
  return useUploads().find((upload) => upload.slot === slot);
}

function change(next: readonly Upload[]): void {
  guardLeaving(next.some(needsThePage));
  uploads.set(next);
}
