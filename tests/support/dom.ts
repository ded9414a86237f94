import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

/** What happy-dom lacks of a browser's page, and what a test leaves on it. */

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
Object.assign(document, { fonts: Object.assign(new EventTarget(), { ready: Promise.resolve() }) });
Object.assign(window, {
  visualViewport: Object.assign(new EventTarget(), { width: 390, height: 844, offsetTop: 0, scale: 1 }),
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
