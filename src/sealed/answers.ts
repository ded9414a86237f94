import { aesOf } from './aes.ts';
import { KEY, NONCE } from './layout.ts';
import { joined } from './locks.ts';

/**
 * Answers that wait on a phone for the site (decision 077): sealed to the site's public key, so that the phone itself can't read them again. What is
 * sealed is the phone's own key for this once (a point of P-256) and AES-GCM's bytes.
 */

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const POINT = 65;
/** Sealed text is filled up with blanks to a multiple of this, in bytes: its length tells neither yes nor no. */
const STEP = 2_048;
const SHARED_BITS = 256;

/** @param site the site's public key: an uncompressed point. @param what anything that JSON holds */
export async function sealAnswers(site: Uint8Array<ArrayBuffer>, what: object): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto;
  const to = await subtle.importKey('raw', site, CURVE, false, []);
  const once = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const point = new Uint8Array(await subtle.exportKey('raw', once.publicKey));
  const aes = await aesOf(await sharedKey(once.privateKey, to, joined(point, site)));
  const text = new TextEncoder().encode(JSON.stringify(what));
  const filled = new Uint8Array(Math.ceil(text.length / STEP) * STEP).fill(0x20);
  filled.set(text);
  // The key is used for this once alone.
  return joined(point, await aes.seal(new Uint8Array(NONCE), filled));
}

/** What was sealed, as it was read from JSON. Rejects what wasn't sealed to this key, or was changed since. @param site the site's private key */
export async function openAnswers(site: JsonWebKey, sealed: Uint8Array): Promise<unknown> {
  const { subtle } = globalThis.crypto;
  const { d: _secret, ...open } = site;
  const own = await subtle.importKey('jwk', site, CURVE, false, ['deriveBits']);
  const ownPoint = await subtle.exportKey('raw', await subtle.importKey('jwk', open, CURVE, true, []));
  const point = new Uint8Array(sealed.subarray(0, POINT));
  const from = await subtle.importKey('raw', point, CURVE, false, []);
  const aes = await aesOf(await sharedKey(own, from, joined(point, new Uint8Array(ownPoint))));
  const text = await aes.open(new Uint8Array(NONCE), sealed.subarray(POINT));
  return JSON.parse(new TextDecoder().decode(text));
}

/** @param salt both public keys, the phone's first: what was sealed for one is nothing to another */
async function sharedKey(own: CryptoKey, other: CryptoKey, salt: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto;
  const shared = await subtle.deriveBits({ name: 'ECDH', public: other }, own, SHARED_BITS);
  const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(salt), info: INFO };
  return new Uint8Array(await subtle.deriveBits(how, base, KEY * 8));
}

const INFO = new TextEncoder().encode('sorpresa: answers of a plan B');
