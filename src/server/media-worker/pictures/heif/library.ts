import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { FileRejected } from '../../refusal.ts';

/** libheif as WebAssembly: functions that take numbers, and the memory that these point to. */
export type Library = MainModule;

const require = createRequire(import.meta.url);
const FOLDER = 'libheif-js/libheif-wasm';
const start = require(`${FOLDER}/libheif.js`) as (settings: { wasmBinary: Uint8Array }) => Library;

/** Starts a separate instance for every file, so that no file can damage the memory of another. */
export const startLibrary = (): Library =>
  start({ wasmBinary: readFileSync(require.resolve(`${FOLDER}/libheif.wasm`)) });

/** libheif's error codes for unknown kinds of files and missing decoders. */
const UNKNOWN = new Set([3, 4, 11]);

export class HeifError extends Error {
  /** True if the file isn't faulty but can't be read here. */
  readonly isUnknown: boolean;

  constructor(code: number, message: string) {
    super(message);
    this.isUnknown = UNKNOWN.has(code);
  }
}

const WORD = 4;
/** Returns a new view each time, because the memory moves when it grows. */
const viewOf = ({ HEAPU8 }: Library) => new DataView((HEAPU8 as Uint8Array).buffer);

export const bytesAt = ({ HEAPU8 }: Library, at: number, length: number): Uint8Array =>
  (HEAPU8 as Uint8Array).subarray(at, at + length);

/** Reads unsigned numbers of four bytes in libheif's layout. */
export function wordsAt(library: Library, at: number, count: number): number[] {
  const view = viewOf(library);
  return Array.from({ length: count }, (_, place) => view.getUint32(at + WORD * place, true));
}

/** Allocates zeroed memory of `words` numbers for the time of `use`. */
export function withRoom<T>(library: Library, words: number, use: (at: number) => T): T {
  const at = library._malloc(WORD * words);
  if (at === 0) throw new FileRejected('memory');
  bytesAt(library, at, WORD * words).fill(0);
  try {
    return use(at);
  } finally {
    library._free(at);
  }
}

/** Calls a function that writes its error to the given address. Throws `HeifError`. */
export function callChecked(library: Library, call: (error: number) => void): void {
  withRoom(library, 3, (error) => {
    call(error);
    const [code = 0, , text = 0] = wordsAt(library, error, 3);
    if (code !== 0) throw new HeifError(code, textAt(library, text));
  });
}

/** Returns the value that such a call writes to `place`. */
export const callForValue = (library: Library, call: (error: number, place: number) => void): number =>
  withRoom(library, 1, (place) => {
    callChecked(library, (error) => call(error, place));
    return wordsAt(library, place, 1)[0] ?? 0;
  });

export function textAt(library: Library, at: number): string {
  if (at === 0) return '';
  const bytes = bytesAt(library, at, 500);
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8');
}
