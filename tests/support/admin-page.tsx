import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { toast } from 'sonner';
import { expect, vi } from 'vitest';
import { adminContract } from '../../src/contract/contract.ts';
import { loadPage } from '../../src/web/admin/load-page.ts';
import { AdminProvider } from '../../src/web/admin/provider.tsx';
import { routes } from '../../src/web/router.tsx';
import { prepareToasts } from '../../src/web/ui/toaster/toast.ts';
import { type Answers, defaults, NOW, never, type Outputs, storingServer } from './admin-answers.ts';

/** An administration page rendered by React, with a server that sends the replies of a test. */

type Notice = { kind: 'error' | 'success'; text: string; more: string | undefined; undo?: () => void };

let answers: Answers;
/** Calls sent since the page was rendered, and the notices shown. */
let calls: { name: string; input: unknown }[];
let notices: Notice[];
/** Number of calls that wait for a reply. */
let waiting = 0;

/** `kept`: values that an earlier page stored in this tab. */
type Opening = { framed?: boolean; kept?: Record<string, unknown> };

/** Renders the page at an address. `framed`: with the layout of every page, through the product's own routes. */
export async function openPage(
  address: string,
  replies: Answers = {},
  { framed = false, kept = {} }: Opening = {},
) {
  cleanup();
  [answers, calls, notices] = [{ ...defaults, ...replies }, [], []];
  sessionStorage.clear();
  localStorage.clear();
  for (const [name, value] of Object.entries(kept)) sessionStorage.setItem(name, JSON.stringify(value));
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal('fetch', answered);
  vi.stubGlobal('EventSource', Silent);
  vi.stubGlobal('IntersectionObserver', InView);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  for (const kind of ['error', 'success'] as const)
    vi.spyOn(toast, kind).mockImplementation((text, options) => {
      notices.push(noticeOf(kind, typeof text === 'string' ? text : '', options));
      return '';
    });
  const { pathname } = new URL(address, location.origin);
  const Page = framed ? null : await loadPage(pathname);
  const alone = [
    {
      element: <AdminProvider />,
      children: [
        { path: pathname, element: Page && <Page /> },
        { path: '*', element: null },
      ],
    },
  ];
  const router = createMemoryRouter(framed ? routes : alone, { initialEntries: [address] });
  await act(async () => {
    await prepareToasts();
    render(<RouterProvider router={router} />);
  });
  await arrived();
  return { router, at: () => router.state.location };
}

/** Renders the page at an address, with a server that stores what is saved. */
export async function openStoringPage(address: string, ...replies: Parameters<typeof storingServer>) {
  const server = storingServer(...replies);
  await openPage(address, server.answers);
  return server;
}

/** Changes the replies of the server from now on. */
export const answerWith = (replies: Answers) => void Object.assign(answers, replies);

/** Returns the inputs of all calls of this name. */
export const sent = (name: keyof Outputs | `${string} /${string}`) =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

/** Advances the fake time and runs its timers. Resolves when no call waits for its reply. */
export async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  for (let quiet = 0; quiet < 8; quiet = waiting > 0 ? 0 : quiet + 1)
    // Deferred callbacks run one millisecond later.
    await act(() => vi.advanceTimersByTimeAsync(1));
}

/** Waits for dynamically imported modules. */
export async function arrived(): Promise<void> {
  await act(() => vi.dynamicImportSettled());
  await pass(0);
}

/** Returns the undo action of the last notice and clears the notices. */
export function lastUndo(): () => void {
  const last = notices.at(-1)?.undo ?? expect.unreachable('Nothing can be taken back');
  notices = [];
  return last;
}

/** Returns the notices shown and clears them. */
export function takeNotices(): string[] {
  const texts = notices.map(
    ({ kind, text, more }) => (kind === 'error' ? '✗ ' : '') + [text, more].filter(Boolean).join(': '),
  );
  notices = [];
  return texts;
}

function noticeOf(kind: Notice['kind'], text: string, options: unknown): Notice {
  const { description, action } = (options ?? {}) as {
    description?: string;
    action?: { onClick: () => void };
  };
  return { kind, text, more: description, ...(action && { undo: action.onClick }) };
}

type Route = { name: string; method: string; path: RegExp; params: string[] };
const contract: Route[] = Object.entries(adminContract).flatMap(([group, calls]) =>
  '~orpc' in calls
    ? [routeOf(group, calls)]
    : Object.entries(calls).map(([name, call]) => routeOf(`${group}.${name}`, call)),
);

function routeOf(name: string, call: { '~orpc': { route: { method?: string; path?: string } } }): Route {
  const { method = 'POST', path = '' } = call['~orpc'].route;
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? '');
  return { name, method, params, path: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) };
}

async function answered(requestInput: Request | string, init: RequestInit = {}): Promise<Response> {
  const request =
    requestInput instanceof Request
      ? requestInput
      : new Request(new URL(requestInput, location.origin), init);
  const { pathname, searchParams } = new URL(request.url);
  const call = contract.find(({ method, path }) => method === request.method && path.test(pathname));
  const name = call?.name ?? `${request.method} ${pathname}`;
  const answer: unknown = Reflect.get(answers, name);
  waiting += answer === never ? 0 : 1;
  try {
    const text = await request.text();
    const body: object = text.startsWith('{') ? JSON.parse(text) : {};
    const values = call?.path.exec(pathname)?.slice(1) ?? [];
    const params = values.map((value, place) => [call?.params[place], decodeURIComponent(value)]);
    const input = { ...Object.fromEntries(searchParams), ...body, ...Object.fromEntries(params) };
    calls.push({ name, input });
    return await replied(name, answer, input);
  } finally {
    waiting -= answer === never ? 0 : 1;
  }
}

async function replied(name: string, replies: unknown, input: unknown): Promise<Response> {
  let answer = replies;
  for (let deep = 0; typeof answer === 'function' && deep < 2; deep += 1) answer = await answer(input);
  if (answer === undefined) throw new Error(`The test has no answer to ${name}`);
  return answer instanceof Response ? answer : Response.json(answer);
}

class Silent extends EventTarget {
  close() {}
}

/** An IntersectionObserver for which every element is visible. */
class InView {
  private readonly tell: IntersectionObserverCallback;
  constructor(tell: IntersectionObserverCallback) {
    this.tell = tell;
  }
  observe(target: Element) {
    const seen = { target, isIntersecting: true } as unknown as IntersectionObserverEntry;
    this.tell([seen], this as unknown as IntersectionObserver);
  }
  unobserve() {}
  disconnect() {}
}
