import { gcm } from '@noble/ciphers/aes.js';

/** AES-256-GCM with one key. `open` rejects if the bytes weren't sealed with it, or were changed since. */
export type Aes = {
  seal(nonce: Uint8Array, bytes: Uint8Array): Promise<Uint8Array>;
  open(nonce: Uint8Array, bytes: Uint8Array): Promise<Uint8Array>;
};

/**
 * Returns the platform's implementation, or a slower one if it is missing: on Android a page opened from a folder may have none.
 * @param key 32 bytes
 */
export async function createAes(key: Uint8Array): Promise<Aes> {
  const { subtle }: { subtle?: SubtleCrypto } = globalThis.crypto;
  return subtle === undefined ? plainAes(key) : platformAes(subtle, key);
}

async function platformAes(subtle: SubtleCrypto, key: Uint8Array): Promise<Aes> {
  const imported = await subtle.importKey('raw', inArrayBuffer(key), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  const parameters = (nonce: Uint8Array) => ({ name: 'AES-GCM', iv: inArrayBuffer(nonce) });
  return {
    seal: async (nonce, bytes) =>
      new Uint8Array(await subtle.encrypt(parameters(nonce), imported, inArrayBuffer(bytes))),
    open: async (nonce, bytes) =>
      new Uint8Array(await subtle.decrypt(parameters(nonce), imported, inArrayBuffer(bytes))),
  };
}

/** Implementation without the platform, ten times as slow. */
export function plainAes(key: Uint8Array): Aes {
  return {
    seal: async (nonce, bytes) => gcm(key, nonce).encrypt(bytes),
    open: async (nonce, bytes) => gcm(key, nonce).decrypt(bytes),
  };
}

/** Returns the bytes in an ArrayBuffer, the only memory that the platform's functions accept. */
function inArrayBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

/** Returns random bytes from the platform's source, which every page has. */
export function randomFill(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  // `getRandomValues` fills at most this many bytes.
  for (let from = 0; from < length; from += 65_536)
    globalThis.crypto.getRandomValues(bytes.subarray(from, from + 65_536));
  return bytes;
}
