import { cleanup, configure } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';

/** Browser features missing from happy-dom, and cleanup between tests. */

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
// Clicked links do not navigate, and script files are not loaded.
const { settings } = (window as unknown as { happyDOM: { settings: { navigation: object } } }).happyDOM;
Object.assign(settings, { handleDisabledFileLoadingAsSuccess: true });
Object.assign(settings.navigation, {
  disableMainFrameNavigation: true,
  disableChildFrameNavigation: true,
  disableChildPageNavigation: true,
  disableFallbackToSetURL: true,
});

// The phone next to a form is a separate window; here its scene is rendered in the page.
vi.mock('../../src/web/admin/components/phone-frame/phone-screen.tsx', () => ({
  PhoneScreen: ({ title, children }: { title: string; children: ReactNode }) =>
    createElement('section', { 'data-phone': title, 'aria-hidden': true }, children),
}));

// Without the page's HTML in each error message.
configure({ getElementError: (message) => new Error(message ?? '') });

// Test files share one page, in changing order.
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
