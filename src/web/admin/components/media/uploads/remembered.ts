import { defaultOptions, type PreviousUpload, Upload as TusUpload } from 'tus-js-client';
import { SLOT_NAMES, type SlotName } from '../../../../../domain/media-slots.ts';
import { localUploadUrl, uploadIdFrom } from './own-address.ts';

/** An upload that an earlier page began and did not bring to its end. */
export type UnfinishedUpload = {
  storageKey: string;
  slot: SlotName;
  nome: string;
  address: string;
  size: number;
  /** Bytes that are already there. */
  sent: number;
};

const storage = defaultOptions.urlStorage;

/**
 * The uploads of a slot that an earlier page left unfinished. Those the server doesn't have any more are forgotten, and those it has whole: it
 * goes on with them by itself.
 */
export async function listUnfinished(slot: SlotName): Promise<UnfinishedUpload[]> {
  const [stored, running] = await Promise.all([storage.findAllUploads(), runningAddresses()]);
  const known = stored.flatMap((upload) => rememberedIn(upload, slot));
  const idle = known.filter(({ address }) => !running.has(address));
  const asked = await Promise.all(idle.map(withWhatArrived));
  return asked.filter((upload) => upload !== null);
}

/** Forgets it on this device; the server keeps what arrived until its own sweep. */
export async function forgetUpload(address: string): Promise<void> {
  const stored = await storage.findAllUploads();
  const same = stored.filter(({ uploadUrl }) => uploadUrl !== null && localUploadUrl(uploadUrl) === address);
  await Promise.all(same.map(({ urlStorageKey }) => storage.removeUpload(urlStorageKey)));
}

/** Deletes what arrived and forgets it. */
export async function discardUpload(address: string): Promise<void> {
  await TusUpload.terminate(address).catch(() => undefined);
  await forgetUpload(address);
}

const LOCK = 'sorpresa-upload ';

/** Lets other tabs know that somebody cares for an upload. @returns the function that ends it */
export function markRunning(address: string): () => void {
  // Only a page that came by https (or from this machine) has locks.
  if (!('locks' in navigator)) return () => {};
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void navigator.locks.request(`${LOCK}${uploadIdFrom(address)}`, { mode: 'shared' }, () => held);
  return letGo;
}

async function runningAddresses(): Promise<{ has(address: string): boolean }> {
  const held = 'locks' in navigator ? ((await navigator.locks.query()).held ?? []) : [];
  const names = new Set(held.map(({ name }) => name));
  return { has: (address) => names.has(`${LOCK}${uploadIdFrom(address)}`) };
}

function rememberedIn(upload: PreviousUpload, slot: SlotName): UnfinishedUpload[] {
  const { uploadUrl, size, metadata, urlStorageKey } = upload;
  const mine = SLOT_NAMES.find((name) => name === metadata['slot']) === slot;
  if (!mine || uploadUrl === null || size === null) return [];
  const nome = metadata['filename'] ?? '';
  return [{ storageKey: urlStorageKey, slot, nome, address: localUploadUrl(uploadUrl), size, sent: 0 }];
}

async function withWhatArrived(upload: UnfinishedUpload): Promise<UnfinishedUpload | null> {
  const answer = await fetch(upload.address, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  const sent = Number(answer.headers.get('Upload-Offset') ?? 0);
  if (answer.ok && sent < upload.size) return { ...upload, sent };
  if (answer.ok || answer.status === 404 || answer.status === 410)
    await storage.removeUpload(upload.storageKey);
  return null;
}
