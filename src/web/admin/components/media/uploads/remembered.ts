import { defaultOptions, type PreviousUpload, Upload as TusUpload } from 'tus-js-client';
import { SLOT_NAMES, type SlotName } from '../../../../../domain/media.ts';
import { localUploadUrl, uploadIdFrom } from './own-address.ts';

/** An upload that an earlier page load started and did not finish. */
export type UnfinishedUpload = {
  storageKey: string;
  slot: SlotName;
  nome: string;
  address: string;
  size: number;
  /** Bytes that the server has. */
  sent: number;
};

const storage = defaultOptions.urlStorage;

/**
 * Returns the unfinished uploads of a slot that no other tab is sending. Forgets those the server no longer has, and complete
 * ones, which the server processes without this page.
 */
export async function listUnfinished(slot: SlotName): Promise<UnfinishedUpload[]> {
  const [stored, running] = await Promise.all([storage.findAllUploads(), runningAddresses()]);
  const known = stored.flatMap((upload) => toUnfinished(upload, slot));
  const idle = known.filter(({ address }) => !running.has(address));
  const checked = await Promise.all(idle.map(withOffset));
  return checked.filter((upload) => upload !== null);
}

/** Forgets the upload on this device; the server keeps its bytes until its next cleanup. */
export async function forgetUpload(address: string): Promise<void> {
  const stored = await storage.findAllUploads();
  const same = stored.filter(({ uploadUrl }) => uploadUrl !== null && localUploadUrl(uploadUrl) === address);
  await Promise.all(same.map(({ urlStorageKey }) => storage.removeUpload(urlStorageKey)));
}

/** Deletes the upload on the server and forgets it. */
export async function discardUpload(address: string): Promise<void> {
  await TusUpload.terminate(address).catch(() => undefined);
  await forgetUpload(address);
}

const LOCK = 'sorpresa-upload ';

/** Marks an upload as running for other tabs, by a shared lock. @returns a function that removes the mark */
export function markRunning(address: string): () => void {
  // `navigator.locks` requires https or localhost.
  if (!('locks' in navigator)) return () => {};
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(`${LOCK}${uploadIdFrom(address)}`, { mode: 'shared' }, () => held);
  return release;
}

async function runningAddresses(): Promise<{ has(address: string): boolean }> {
  const held = 'locks' in navigator ? ((await navigator.locks.query()).held ?? []) : [];
  const names = new Set(held.map(({ name }) => name));
  return { has: (address) => names.has(`${LOCK}${uploadIdFrom(address)}`) };
}

function toUnfinished(upload: PreviousUpload, slot: SlotName): UnfinishedUpload[] {
  const { uploadUrl, size, metadata, urlStorageKey } = upload;
  const isSameSlot = SLOT_NAMES.find((name) => name === metadata['slot']) === slot;
  if (!isSameSlot || uploadUrl === null || size === null) return [];
  const nome = metadata['filename'] ?? '';
  return [{ storageKey: urlStorageKey, slot, nome, address: localUploadUrl(uploadUrl), size, sent: 0 }];
}

async function withOffset(upload: UnfinishedUpload): Promise<UnfinishedUpload | null> {
  const answer = await fetch(upload.address, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  const sent = Number(answer.headers.get('Upload-Offset') ?? 0);
  if (answer.ok && sent < upload.size) return { ...upload, sent };
  if (answer.ok || answer.status === 404 || answer.status === 410)
    await storage.removeUpload(upload.storageKey);
  return null;
}
