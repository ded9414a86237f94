import { argon2id } from 'hash-wasm';
import { KEY_BYTES } from './layout.ts';

/** Cost of one guess: four passes over 64 MiB of memory. It is fixed: no file and no caller can lower it (decision 077). */
export const CODE_COST = { memoryKiB: 65_536, passes: 4, lanes: 1 } as const;

/** Derives a key from a normalized code. */
export type DeriveCodeKey = (code: string, salt: Uint8Array) => Promise<Uint8Array>;

/** Uses WebAssembly that is part of this module, so nothing is downloaded. Blocks its thread for about a second. */
export const deriveCodeKey: DeriveCodeKey = (code, salt) =>
  argon2id({
    password: code,
    salt,
    parallelism: CODE_COST.lanes,
    iterations: CODE_COST.passes,
    memorySize: CODE_COST.memoryKiB,
    hashLength: KEY_BYTES,
    outputType: 'binary',
  });
