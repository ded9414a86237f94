import { call } from '../../support/http.ts';

/** Tries to enter with a code, as a phone of its own; the status. */
export async function tryCode({ url }: { url: string }, token: string): Promise<number> {
  const attempt = { token, attempt_id: crypto.randomUUID(), device_id: `device-${crypto.randomUUID()}` };
  return (await call(url, 'POST', '/access', attempt)).status;
}
