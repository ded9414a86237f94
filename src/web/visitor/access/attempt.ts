import { randomUuid } from '../../random-uuid.ts';
import { readStoredJson, writeStored } from '../../ui/storage.ts';

const KEY = 'entry-attempts';

/** Attempt ids by code. */
type Attempts = Record<string, string>;

let inMemory: Attempts = {};

/**
 * Returns the id of the entry with this code. It stays the same until the result is known: a double tap, a retry or a lost reply is one
 * entry and one use. Another code gets another id.
 */
export function attemptId(code: string): string {
  const current = stored();
  const id = current[code] ?? randomUuid();
  store({ ...current, [code]: id });
  return id;
}

/** Ends the attempt with this code after a final reply; the next entry gets a new id. */
export function forgetAttempt(code: string): void {
  const { [code]: _settled, ...others } = stored();
  store(others);
}

function stored(): Attempts {
  const value = readStoredJson('sessionStorage', KEY);
  return isAttempts(value) ? value : inMemory;
}

function isAttempts(value: unknown): value is Attempts {
  return typeof value === 'object' && value !== null;
}

function store(attempts: Attempts): void {
  inMemory = attempts;
  // Without storage the attempts last as long as the page.
  writeStored('sessionStorage', KEY, JSON.stringify(attempts));
}
