import { cleanup, configure } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, vi } from 'vitest';

/** What happy-dom lacks of a browser's page, and what a test leaves on it. */

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
Object.assign(document, {
  fonts: Object.assign(new EventTarget(), { ready: Promise.resolve(), load: async () => [] }),
});
Object.assign(window, {
  visualViewport: Object.assign(new EventTarget(), { width: 390, height: 844, offsetTop: 0, scale: 1 }),
});

// The phone beside a form is a window of its own: here its scene stands on the page itself.
vi.mock('../../src/web/admin/components/phone-frame/phone-screen.tsx', () => ({
  PhoneScreen: ({ title, children }: { title: string; children: ReactNode }) =>
    createElement('section', { 'data-phone': title, 'aria-hidden': true }, children),
}));

// The whole page would stand under every failure.
configure({ getElementError: (message) => new Error(message ?? '') });

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
