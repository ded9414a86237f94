import { act, createElement, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';

/** A hook at work, without a browser: React itself on an element of which it sees no more than that it is one. */

export type AtWork<T> = {
  /** What it gives now. */
  now: () => T;
  /** Does something, and whatever follows from it. */
  does: (run: () => unknown) => Promise<void>;
  /** Its component is taken off. */
  leave: () => Promise<void>;
};

/**
 * @param use calls the hook; what it closes over may change before the next thing that is done
 * @param around what has to stand around it
 */
export async function atWork<T>(
  use: () => T,
  around: (component: ReactElement) => ReactElement = (component) => component,
): Promise<AtWork<T>> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const view: object = globalThis.window ?? globalThis;
  vi.stubGlobal('window', Object.assign(view, { HTMLIFrameElement: () => {} }));
  const given: T[] = [];
  function Component() {
    given.push(use());
    return null;
  }
  const root = createRoot(element());
  const does = async (run: () => unknown) => {
    await act(async () => {
      await run();
    });
  };
  await does(() => root.render(around(createElement(Component))));
  return {
    now: () => {
      const last = given.at(-1);
      if (given.length === 0) throw new Error('It was never called');
      return last as T;
    },
    does,
    leave: () => does(() => root.unmount()),
  };
}

/** As much of an element as React asks of one in which nothing is drawn. */
function element(): HTMLElement {
  const listen = { addEventListener: () => {}, removeEventListener: () => {} };
  const page = { nodeType: 9, activeElement: null, ...listen };
  const stand = {
    nodeType: 1,
    tagName: 'DIV',
    nodeName: 'DIV',
    ownerDocument: page,
    textContent: '',
    ...listen,
  };
  return stand as unknown as HTMLElement;
}
