const KEY = 'entry-attempt';

type Attempt = { code: string; id: string };

let inMemory: Attempt | null = null;

/**
 * The id of the entry with this code: the same until its outcome is known, so that a double tap, a retry or a lost reply is one
 * entry and one use. Another code is another entry.
 */
export function attemptId(code: string): string {
  const known = stored();
  if (known?.code === code) return known.id;
  const attempt = { code, id: randomUuid() };
  store(attempt);
  return attempt.id;
}

/** The server's word on the entry is final: the next one is a new one. */
export function forgetAttempt(): void {
  store(null);
}

function stored(): Attempt | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? inMemory : (JSON.parse(text) as Attempt);
  } catch {
    return inMemory;
  }
}

function store(attempt: Attempt | null): void {
  inMemory = attempt;
  try {
    if (attempt === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(attempt));
  } catch {
    // Without storage the attempt lives as long as the page.
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
