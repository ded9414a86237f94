import { cleanup, configure } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';

/** What happy-dom lacks of a browser's page, and what a test leaves on it. */

Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: true,
  MediaError: { MEDIA_ERR_DECODE: 3 },
  PerformanceNavigationTiming: PerformanceEntry,
});
const MEDIA_STATES = { HAVE_METADATA: 1, HAVE_CURRENT_DATA: 2, HAVE_FUTURE_DATA: 3, NETWORK_IDLE: 1 };
for (const media of [HTMLMediaElement, HTMLMediaElement.prototype]) Object.assign(media, MEDIA_STATES);
const fonts = { ready: Promise.resolve(), status: 'loaded', load: async () => [] };
Object.assign(document, { fonts: Object.assign(new EventTarget(), fonts) });
Object.assign(window, {
  visualViewport: Object.assign(new EventTarget(), { width: 390, height: 844, offsetTop: 0, scale: 1 }),
});
// A link that is clicked leads nowhere, and a script's file is never read.
const { settings } = (window as unknown as { happyDOM: { settings: { navigation: object } } }).happyDOM;
Object.assign(settings, { handleDisabledFileLoadingAsSuccess: true });
Object.assign(settings.navigation, {
  disableMainFrameNavigation: true,
  disableChildFrameNavigation: true,
  disableChildPageNavigation: true,
  disableFallbackToSetURL: true,
});

// The phone beside a form is a window of its own: here its scene stands on the page itself.
vi.mock('../../src/web/admin/components/phone-frame/phone-screen.tsx', () => ({
  PhoneScreen: ({ title, children }: { title: string; children: ReactNode }) =>
    createElement('section', { 'data-phone': title, 'aria-hidden': true }, children),
}));

// The whole page would stand under every failure.
configure({ getElementError: (message) => new Error(message ?? '') });

// Files share one page, in an order that changes.
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
