import { randomUuid } from '../../random-uuid.ts';
import { readStoredJson, writeStored } from '../../ui/storage.ts';

const KEY = 'entry-attempts';

/** Attempt ids by code. */
type Attempts = Record<string, string>;

let inMemory: Attempts = {};

/**
 * The id of the entry with this code: the same until its outcome is known, so that a double tap, a retry or a lost reply is one
 * entry and one use. Another code is another entry.
 */
export function attemptId(code: string): string {
  const known = stored();
  const id = known[code] ?? randomUuid();
  store({ ...known, [code]: id });
  return id;
}

/** The server's word on the entry with this code is final: the next one is a new one. */
export function forgetAttempt(code: string): void {
  const { [code]: _settled, ...others } = stored();
  store(others);
}

function stored(): Attempts {
  const kept = readStoredJson('sessionStorage', KEY);
  return isAttempts(kept) ? kept : inMemory;
}

function isAttempts(kept: unknown): kept is Attempts {
  return typeof kept === 'object' && kept !== null;
}

function store(attempts: Attempts): void {
  inMemory = attempts;
  // Without storage the attempts live as long as the page.
  writeStored('sessionStorage', KEY, JSON.stringify(attempts));
}
