import { vi } from 'vitest';

type Answer = (body: Record<string, unknown>) => Response | Promise<Response>;

export const refused =
  (codice: string, details: object = {}, status = 400): Answer =>
  () =>
    Response.json({ codice, messaggio: `No: ${codice}`, ...details }, { status });
export const said =
  (body: unknown): Answer =>
  () =>
    Response.json(body);
export const lost: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
export const never: Answer = () => new Promise(() => {});

/** Answers by the address behind `/api`; returns every request in order. An address without an answer is never answered. */
export function answering(answers: Record<string, Answer>) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const path = address.replace('/api/', '');
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    asked.push({ path, body });
    return (answers[path] ?? never)(body);
  });
  return { asked, of: (path: string) => asked.filter((call) => call.path === path).map(({ body }) => body) };
}
