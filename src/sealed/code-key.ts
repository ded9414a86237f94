import { argon2id } from 'hash-wasm';
import { KEY } from './layout.ts';

/** What a guess costs: 64 MiB of memory gone over four times. It can't be less, whatever it is asked from (decision 077). */
export const CODE_COST = { memoryKiB: 65_536, passes: 4, lanes: 1 } as const;

/** A key out of a normalised code. */
export type KeyOfCode = (code: string, salt: Uint8Array) => Promise<Uint8Array>;

/** By WebAssembly, which is within this module and fetched from nowhere. It holds its thread for about a second. */
export const keyOfCode: KeyOfCode = (code, salt) =>
  argon2id({
    password: code,
    salt,
    parallelism: CODE_COST.lanes,
    iterations: CODE_COST.passes,
    memorySize: CODE_COST.memoryKiB,
    hashLength: KEY,
    outputType: 'binary',
  });
