import { act, fireEvent, screen } from '@testing-library/react';
import { vi } from 'vitest';

/** Returns the content in order: `# heading`, `[button]`, `<link → address>`, `{field: value}`, `(image)`, `role: text`, or plain text. */
export function readPage(root: Element = document.body): string[] {
  return [...root.childNodes].flatMap((node) =>
    node instanceof Element ? readElement(node) : readText(node),
  );
}

function readElement(element: Element): string[] {
  if (element.matches('[aria-hidden="true"], [hidden], svg, video, audio, canvas, script, style')) return [];
  const role = element.getAttribute('role');
  const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  const off = element.matches(':disabled, [aria-disabled="true"]') ? ' off' : '';
  const isLeaf =
    element.querySelector('button, a, input, img') === null && element.querySelectorAll('p').length < 2;
  if (role !== null && isLeaf) return label === '' ? [] : [`${role}: ${label}`];
  if (element.matches('button')) return [`[${label}${off}]`];
  if (element.matches('a')) return [`<${label} → ${element.getAttribute('href')}>`];
  if (element.matches('h1, h2, h3')) return [`# ${label}`];
  if (element.matches('img')) return element.getAttribute('alt') ? [`(${element.getAttribute('alt')})`] : [];
  if (element.matches('progress')) return [`progress ${element.getAttribute('value')}`];
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return [`{${element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent}: ${element.value}}`];
  if (element instanceof HTMLSelectElement) return [`{${label}: ${element.value}}`];
  return element.matches('label[for]') ? [] : readPage(element);
}

function readText({ textContent }: Node): string[] {
  const text = textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return text === '' ? [] : [text];
}

const { setImmediate: realTask } = globalThis;
/** Waits for message port tasks, which are not controlled by fake timers. */
export const settle = async () => {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => void realTask(resolve));
};

/** Advances the fake time by `ms` and runs the tasks that follow. */
export const pass = (ms = 0) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    await settle();
  });

/** Taps the button, or the element of another role, with this name. */
export async function tap(name: string | RegExp, role = 'button'): Promise<void> {
  fireEvent.click(screen.getByRole(role, { name, hidden: true }));
  await pass();
}

type Answer = (body: Record<string, unknown>) => Response | Promise<Response>;

export const refused =
  (codice: string, details: object = {}, status = 400): Answer =>
  () =>
    Response.json({ codice, messaggio: `No: ${codice}`, ...details }, { status });
export const replyWith =
  (body: unknown): Answer =>
  () =>
    Response.json(body);
export const lost: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
export const never: Answer = () => new Promise(() => {});

/** Stubs `fetch` with answers by the path after `/api/`. Other paths never settle. Returns every request in order. */
export function stubFetch(answers: Record<string, Answer>) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const path = address.replace('/api/', '');
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    asked.push({ path, body });
    return (answers[path] ?? never)(body);
  });
  return { asked, of: (path: string) => asked.filter((call) => call.path === path).map(({ body }) => body) };
}
