import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { toast } from 'sonner';
import { expect, vi } from 'vitest';
import { adminContract } from '../../src/contract/admin.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts';
import { errorSentence } from '../../src/texts/errors.ts';
import { loadPage } from '../../src/web/admin/load-page.ts';
import { AdminProvider } from '../../src/web/admin/provider.tsx';
import { routes } from '../../src/web/router.tsx';
import { prepareToasts } from '../../src/web/ui/toaster/toast.ts';
import { defaults, type Inputs, NOW, type Outputs } from './admin-answers.ts';

/** A page of the administration as React draws it, with a server that answers what a test wants. */

type Reply = () => Promise<Response>;
type Given<In, Out> = Out | Reply | ((input: In) => Out | Reply);
export type Answers = { [K in keyof Outputs]?: Given<Inputs[K & keyof Inputs], Outputs[K]> } & {
  [call: `${string} /${string}`]: unknown;
};
type CallName = keyof Outputs;

/** No network. */
export const offline: Reply = async () => {
  throw new TypeError('Failed to fetch');
};
/** The page of a proxy. */
export const unreadable: Reply = async () => new Response('<html>', { status: 502 });
/** The server takes its time. */
export const never: Reply = () => new Promise(() => {});
/** The server says no. */
export const refused =
  (codice: ErrorCode): Reply =>
  async () =>
    Response.json({ codice, messaggio: sentence(codice) }, { status: ERROR_STATUS[codice] });
export const sentence = (codice: ErrorCode) => errorSentence(codice, { n: 40, id: '5f2c91' });

type Notice = { kind: 'error' | 'success'; text: string; more: string | undefined; undo?: () => void };

let answers: Answers;
/** What the page has sent since it was drawn, and what was told in notices. */
let calls: { name: string; input: unknown }[];
let notices: Notice[];

/** Draws the page at an address. `framed`: with the frame around every page, by the product's own routes. */
export async function openPage(address: string, given: Answers = {}, { framed = false } = {}) {
  [answers, calls, notices] = [{ ...defaults, ...given }, [], []];
  sessionStorage.clear();
  localStorage.clear();
  vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW });
  vi.stubGlobal('fetch', answered);
  vi.stubGlobal('EventSource', Silent);
  vi.stubGlobal('IntersectionObserver', InView);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  for (const kind of ['error', 'success'] as const)
    vi.spyOn(toast, kind).mockImplementation((text, options) => {
      notices.push(noticeOf(kind, String(text), options));
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
  await pass(0);
  return { router, at: () => router.state.location };
}

/** From now on the server answers so. */
export const answerWith = (given: Answers) => void Object.assign(answers, given);

/** The inputs of a call that was sent. */
export const sent = (name: CallName | `${string} /${string}`) =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

/** Time passes, and with it what waits for it. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** What was told in notices, and forgets it. */
export function told(): string[] {
  const texts = notices.map(
    ({ kind, text, more }) => (kind === 'error' ? '✗ ' : '') + [text, more].filter(Boolean).join(': '),
  );
  notices = [];
  return texts;
}

/** Presses the button of the last notice. */
export async function undo(): Promise<void> {
  const last = notices.at(-1)?.undo ?? expect.unreachable('Nothing can be taken back');
  notices = [];
  await act(async () => last());
  await pass(0);
}

export async function press(name: string | RegExp, around: HTMLElement = document.body): Promise<void> {
  await click(within(around).getByRole('button', { name, hidden: true }));
}

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
  await pass(0);
}

export const field = (label: string | RegExp, around: HTMLElement = document.body) =>
  within(around).getByLabelText<HTMLInputElement>(label, { selector: 'input,textarea,select' });

/** Writes into a field, all at once. */
export function write(label: string | RegExp, value: string, around?: HTMLElement): void {
  fireEvent.input(field(label, around), { target: { value } });
}

/** Sends the form that a field is in. */
export async function submit(label: string | RegExp): Promise<void> {
  const form = field(label).form ?? expect.unreachable('It is in no form');
  await act(async () => form.requestSubmit());
  await pass(0);
}

/** The dialog that is open; answers its question. */
export const dialog = () => screen.getByRole('dialog', { hidden: true });
export const answerDialog = (name: string) => press(name, dialog());

/** What stands on the phone beside a form. */
export const phone = (title: string) =>
  document.querySelector<HTMLElement>(`[data-phone="${title}"]`) ??
  expect.unreachable(`No phone shows «${title}»`);

/** All the words on the page. */
export const words = () => document.body.textContent;

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

async function answered(asked: Request | string, init: RequestInit = {}): Promise<Response> {
  const request = asked instanceof Request ? asked : new Request(new URL(asked, location.origin), init);
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  const body: object = text.startsWith('{') ? JSON.parse(text) : {};
  const call = contract.find(({ method, path }) => method === request.method && path.test(pathname));
  const values = call?.path.exec(pathname)?.slice(1) ?? [];
  const params = Object.fromEntries(
    values.map((value, place) => [call?.params[place], decodeURIComponent(value)]),
  );
  const name = call?.name ?? `${request.method} ${pathname}`;
  const input = { ...Object.fromEntries(searchParams), ...body, ...params };
  calls.push({ name, input });
  let answer: unknown = Reflect.get(answers, name);
  for (let deep = 0; typeof answer === 'function' && deep < 2; deep += 1) answer = await answer(input);
  if (answer === undefined) throw new Error(`The test has no answer to ${name}`);
  return answer instanceof Response ? answer : Response.json(answer);
}

class Silent extends EventTarget {
  close() {}
}

/** Whatever is looked for is in sight. */
class InView {
  constructor(private readonly tell: IntersectionObserverCallback) {}
  observe(target: Element) {
    const seen = { target, isIntersecting: true } as unknown as IntersectionObserverEntry;
    this.tell([seen], this as unknown as IntersectionObserver);
  }
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
