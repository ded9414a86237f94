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
  try {
    const attempts: Attempts = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return attempts;
  } catch {
    return inMemory;
  }
}

function store(attempts: Attempts): void {
  inMemory = attempts;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(attempts));
  } catch {
    // Without storage the attempts live as long as the page.
  }
}

/** `randomUUID` exists only on secure origins; the demo may be opened over plain http. */
function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
