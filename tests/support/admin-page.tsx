import { act, cleanup, fireEvent, render, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { toast } from 'sonner';
import { expect, vi } from 'vitest';
import { adminContract } from '../../src/contract/admin.ts';
import { loadPage } from '../../src/web/admin/load-page.ts';
import { AdminProvider } from '../../src/web/admin/provider.tsx';
import { routes } from '../../src/web/router.tsx';
import { prepareToasts } from '../../src/web/ui/toaster/toast.ts';
import { type Answers, defaults, NOW, never, type Outputs } from './admin-answers.ts';

export { offline, refused, sentence, unreadable } from './admin-answers.ts';

/** A page of the administration as React draws it, with a server that answers what a test wants. */

type Notice = { kind: 'error' | 'success'; text: string; more: string | undefined; undo?: () => void };

let answers: Answers;
/** What the page has sent since it was drawn, and what was told in notices. */
let calls: { name: string; input: unknown }[];
let notices: Notice[];
/** So many calls wait for an answer that comes. */
let waiting = 0;

/** `kept`: what an earlier page has left in this tab. */
type Opening = { framed?: boolean; kept?: Record<string, unknown> };

/** Draws the page at an address. `framed`: with the frame around every page, by the product's own routes. */
export async function openPage(
  address: string,
  given: Answers = {},
  { framed = false, kept = {} }: Opening = {},
) {
  cleanup();
  [answers, calls, notices] = [{ ...defaults, ...given }, [], []];
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

/** From now on the server answers so. */
export const answerWith = (given: Answers) => void Object.assign(answers, given);

/** The inputs of a call that was sent. */
export const sent = (name: keyof Outputs | `${string} /${string}`) =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

/** Time passes, and with it what waits for it: nothing else makes it pass. Ends when nothing more is asked of the server. */
export async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  for (let quiet = 0; quiet < 8; quiet = waiting > 0 ? 0 : quiet + 1)
    // What is put off to the next moment comes a millisecond later.
    await act(() => vi.advanceTimersByTimeAsync(1));
}

/** What the page fetches when it is wanted is there. */
export async function arrived(): Promise<void> {
  await act(() => vi.dynamicImportSettled());
  await pass(0);
}

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

/** A button or a link by its whole name. */
export function control(name: string | RegExp, around: Element = document.body): HTMLElement {
  const isNamed = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  const all = around.querySelectorAll<HTMLElement>('button,a,[role="tab"],summary');
  const found = [...all].find((one) => isNamed((one.getAttribute('aria-label') ?? one.textContent).trim()));
  return found ?? expect.unreachable(`There is no «${name}»`);
}

export const press = (name: string | RegExp, around?: Element) => click(control(name, around));

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
  // A dialog takes its time to come.
  await pass(DIALOG_MS);
}

const DIALOG_MS = 250;

export const field = (label: string | RegExp, around: HTMLElement = document.body) =>
  within(around).getByLabelText<HTMLInputElement>(label, { selector: 'input,textarea,select' });

/** Writes into a field, all at once. */
export function write(label: string | RegExp, value: string, around?: HTMLElement): void {
  fireEvent.input(field(label, around), { target: { value } });
}

/** Chooses in a list. */
export async function choose(label: string | RegExp, value: string): Promise<void> {
  fireEvent.change(field(label), { target: { value } });
  await pass(0);
}

/** Leaves a field. */
export async function leave(label: string | RegExp): Promise<void> {
  fireEvent.blur(field(label));
  await pass(0);
}

/** The network is back. */
export async function networkReturns(): Promise<void> {
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(0);
}

/** The page is put aside, or looked at again. */
export async function becomes(state: 'visible' | 'hidden'): Promise<void> {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  await act(async () => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  Reflect.deleteProperty(document, 'visibilityState');
  await pass(0);
}

/** Sends the form that a field is in. */
export async function submit(label: string | RegExp, around?: HTMLElement): Promise<void> {
  const form = field(label, around).form ?? expect.unreachable('It is in no form');
  fireEvent.submit(form);
  await pass(0);
}

/** The part of the page under a heading. */
export function section(title: string): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>('section,article')];
  const isCalled = (one: HTMLElement) =>
    one.getAttribute('aria-label') === title || one.querySelector('h2,h3,h4')?.textContent === title;
  return all.findLast(isCalled) ?? expect.unreachable(`No part of the page is called «${title}»`);
}

/** What is said in the page itself: of failures, and of what is to be known. */
export const alerts = () =>
  [...document.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent);

/** The dialog that is open; where there are several, the one with these words. */
export function dialog(text = ''): HTMLElement {
  const open = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')];
  const found = open.findLast(({ textContent }) => textContent.includes(text));
  return found ?? expect.unreachable('No dialog is open');
}

/** A dialog has faded out. */
export const dialogs = async () => {
  await pass(500);
  return document.querySelectorAll('[role="dialog"]').length;
};

/** What stands on the phone beside a form. */
export const phone = (title: string) =>
  document.querySelector<HTMLElement>(`[data-phone="${title}"]`)?.textContent;

/** All the words on the page. */
export function words(): string {
  const styles = [...document.body.querySelectorAll('style')].map(({ textContent }) => textContent);
  return styles.reduce((text, style) => text.replace(style, ''), document.body.textContent);
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

async function answered(asked: Request | string, init: RequestInit = {}): Promise<Response> {
  const request = asked instanceof Request ? asked : new Request(new URL(asked, location.origin), init);
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

async function replied(name: string, given: unknown, input: unknown): Promise<Response> {
  let answer = given;
  for (let deep = 0; typeof answer === 'function' && deep < 2; deep += 1) answer = await answer(input);
  if (answer === undefined) throw new Error(`The test has no answer to ${name}`);
  return answer instanceof Response ? answer : Response.json(answer);
}

class Silent extends EventTarget {
  close() {}
}

/** Whatever is looked for is in sight. */
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
  takeRecords() {
    return [];
  }
}
