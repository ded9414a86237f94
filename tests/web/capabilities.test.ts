import { afterEach, expect, test, vi } from 'vitest';
import { CAPABILITIES, readCapabilities } from '../../src/domain/capabilities.ts';
import { capabilities } from '../../src/web/visitor/access/capabilities.ts';

afterEach(() => vi.unstubAllGlobals());

test('a web view without anything says nothing but what it is', () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 15; wv) Chrome/130.0 Mobile' });
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('window', {});
  vi.stubGlobal('localStorage', undefined);
  expect(capabilities()).toEqual(['in_app']);
});

test('a browser that can do everything says so', () => {
  const navigator = { userAgent: 'Chrome', wakeLock: {}, mediaSession: {}, canShare: () => true };
  vi.stubGlobal('navigator', { ...navigator, connection: { saveData: true } });
  vi.stubGlobal('document', { documentElement: { requestFullscreen: () => undefined } });
  vi.stubGlobal('window', { navigation: {} });
  vi.stubGlobal('localStorage', {});
  expect(capabilities()).toEqual(CAPABILITIES.filter((name) => name !== 'in_app'));
});

test('of what is stored the known names are read', () => {
  expect(readCapabilities('storage telepathy in_app')).toEqual(['in_app', 'storage']);
  expect(readCapabilities(null)).toEqual([]);
});
