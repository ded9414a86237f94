import type { Snapshot, Viaggio } from '../domain/content.ts';

/** A file of the evening: its name, which is its address in the snapshot, its content type, and its bytes within the content. */
export type SealedFile = { name: string; type: string; size: number };

/** Index of the content; it precedes the files. */
export type Manifest = {
  /** Opening time, checked against the device's clock: no code opens anything before it. ISO 8601 in UTC. */
  opens_at: string | null;
  /** Its addresses are file names. */
  snapshot: Snapshot;
  files: readonly SealedFile[];
};

/** Returns the file name of a trip's tickets. */
export const ticketsName = (viaggio: Viaggio): string => `biglietti/${viaggio}`;

const LENGTH = 4;

/** Encodes the manifest, preceded by its length in 4 bytes. */
export function manifestBytes(manifest: Manifest): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(manifest));
  const bytes = new Uint8Array(LENGTH + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, LENGTH);
  return bytes;
}

/** Returns the manifest's total bytes, from its first 4 bytes. */
export function manifestSize(start: Uint8Array): number {
  return LENGTH + new DataView(start.buffer, start.byteOffset).getUint32(0);
}

/** Decodes the manifest without validation: it was sealed by our code, and the layout's number determines its form. */
export function readManifest(bytes: Uint8Array): Manifest {
  const manifest: Manifest = JSON.parse(
    new TextDecoder().decode(bytes.subarray(LENGTH, manifestSize(bytes))),
  );
  return manifest;
}
