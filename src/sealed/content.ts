import type { Snapshot, Viaggio } from '../domain/content.ts';

/** A file of the evening: the address under which the evening names it, what it is, and how many bytes of the content it is. */
export type SealedFile = { name: string; type: string; size: number };

/** What stands before the files. */
export type Manifest = {
  /** Before it no code opens anything; by the device's own clock. ISO 8601 in UTC. */
  opens_at: string | null;
  /** Its addresses are names of files. */
  snapshot: Snapshot;
  files: readonly SealedFile[];
};

/** The name of a trip's tickets. */
export const ticketsName = (viaggio: Viaggio): string => `biglietti/${viaggio}`;

const LENGTH = 4;

/** The manifest's bytes, with their own length before them. */
export function manifestBytes(manifest: Manifest): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(manifest));
  const bytes = new Uint8Array(LENGTH + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, LENGTH);
  return bytes;
}

/** How many bytes the manifest takes, told by the first of them. */
export function manifestSize(start: Uint8Array): number {
  return LENGTH + new DataView(start.buffer, start.byteOffset).getUint32(0);
}

/** What was sealed is ours: its form is what it was when it was made, by the layout's number. */
export function readManifest(bytes: Uint8Array): Manifest {
  const manifest: Manifest = JSON.parse(
    new TextDecoder().decode(bytes.subarray(LENGTH, manifestSize(bytes))),
  );
  return manifest;
}
