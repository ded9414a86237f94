import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addUpload,
  findUpload,
  removeUpload,
  updateUpload,
} from '../../src/web/admin/components/media/uploads/store.ts';
import type { Upload } from '../../src/web/admin/components/media/uploads/upload.ts';

/** The uploads of a page, and what it does so that they are not cut off. */

const sending: Upload['state'] = { phase: 'sending', bytesPerSecond: null, secondsLeft: null };
const upload = (key: string): Upload => ({
  key,
  upload: null,
  slot: 'video',
  nome: 'film.mp4',
  size: 10,
  sent: 0,
  state: sending,
});

let view: EventTarget;
let screen: EventTarget & { visibilityState: string };
const release = vi.fn(async () => undefined);
const lock = vi.fn(async () => ({ release }));

beforeEach(() => {
  view = new EventTarget();
  screen = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', screen);
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view));
  vi.stubGlobal('navigator', { wakeLock: { request: lock } });
  vi.clearAllMocks();
});
afterEach(() => {
  for (const key of ['a', 'b']) removeUpload(key);
  vi.unstubAllGlobals();
});

/** Does leaving the page ask first? */
function asks(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  view.dispatchEvent(event);
  return event.defaultPrevented;
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('an upload is found until it is taken off; the news of one that is gone bring it not back', () => {
  addUpload(upload('a'));
  addUpload(upload('b'));
  updateUpload('a', { sent: 5 });
  expect([findUpload('a')?.sent, findUpload('b')?.sent]).toEqual([5, 0]);
  removeUpload('a');
  updateUpload('a', { sent: 6 });
  expect(findUpload('a')).toBeUndefined();
});

test('while bytes leave, leaving asks first and the screen stays on; then no more', async () => {
  expect(asks()).toBe(false);
  addUpload(upload('a'));
  addUpload(upload('b'));
  expect([asks(), lock.mock.calls.length]).toEqual([true, 1]);
  removeUpload('b');
  expect(asks()).toBe(true);
  updateUpload('a', { state: { phase: 'refused', messaggio: '' } });
  await settle();
  expect([asks(), release.mock.calls.length]).toEqual([false, 1]);
});

test.each<[Upload['state'], boolean]>([
  [{ phase: 'waiting' }, true],
  [{ phase: 'file-lost' }, true],
  [{ phase: 'failed', messaggio: '' }, false],
  [{ phase: 'refused', messaggio: '' }, false],
])('%j still wants the page: %s', (state, wanted) => {
  addUpload({ ...upload('a'), state });
  expect(asks()).toBe(wanted);
});

test('a screen that was hidden is kept on again when it is seen, as long as bytes leave', () => {
  addUpload(upload('a'));
  screen.visibilityState = 'hidden';
  screen.dispatchEvent(new Event('visibilitychange'));
  expect(lock).toHaveBeenCalledTimes(1);
  screen.visibilityState = 'visible';
  screen.dispatchEvent(new Event('visibilitychange'));
  expect(lock).toHaveBeenCalledTimes(2);
  removeUpload('a');
  screen.dispatchEvent(new Event('visibilitychange'));
  expect(lock).toHaveBeenCalledTimes(2);
});
