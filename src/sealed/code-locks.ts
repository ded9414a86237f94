import { createAes, randomFill } from './aes.ts';
import type { DeriveCodeKey } from './code-key.ts';
import { type Header, ID_BYTES, KEY_BYTES, NONCE_BYTES } from './layout.ts';

/** A code that opens the evening. `id`: a UUID. */
export type CodeLock = { id: string; normalized: string };

/** Wraps the evening's key once for each code. All share one salt, so that a phone derives one key per typed code. */
export async function wrapKeyForCodes(
  key: Uint8Array,
  locks: readonly CodeLock[],
  salt: Uint8Array,
  deriveKey: DeriveCodeKey,
): Promise<Uint8Array[]> {
  const slots: Uint8Array[] = [];
  for (const { id, normalized } of locks) {
    const nonce = randomFill(NONCE_BYTES);
    const aes = await createAes(await deriveKey(normalized, salt));
    slots.push(concatBytes(nonce, await aes.seal(nonce, concatBytes(key, idBytes(id)))));
  }
  return slots;
}

/** Returns the evening's key, or null if this code opens nothing. @param normalized as returned by the domain's `normalizeCode` */
export async function unwrapKey(
  { salt, slots }: Header,
  normalized: string,
  deriveKey: DeriveCodeKey,
): Promise<Uint8Array | null> {
  const aes = await createAes(await deriveKey(normalized, salt));
  for (const slot of slots) {
    const opened = await aes
      .open(slot.subarray(0, NONCE_BYTES), slot.subarray(NONCE_BYTES))
      .catch(() => null);
    if (opened !== null) return opened.slice(0, KEY_BYTES);
  }
  return null;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function idBytes(uuid: string): Uint8Array {
  if (!UUID.test(uuid)) throw new TypeError('A code is known by a UUID');
  const hex = uuid.replaceAll('-', '');
  return Uint8Array.from({ length: ID_BYTES }, (_, place) =>
    Number.parseInt(hex.slice(2 * place, 2 * place + 2), 16),
  );
}
