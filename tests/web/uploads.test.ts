import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UploadTarget } from '../../src/web/admin/components/media/uploads/job.ts';
import type * as Remembered from '../../src/web/admin/components/media/uploads/remembered.ts';
import type { SendingEvents } from '../../src/web/admin/components/media/uploads/sending.ts';
import type * as Store from '../../src/web/admin/components/media/uploads/store.ts';
import type { Upload } from '../../src/web/admin/components/media/uploads/upload.ts';
import type * as Uploads from '../../src/web/admin/components/media/uploads/uploads.ts';
import { ApiError } from '../../src/web/api/failure.ts';

/** Bringing an upload to the server: when it waits, when it goes on, what is told of it, and what is forgotten. */

const SENDING = '../../src/web/admin/components/media/uploads/sending.ts';
const TOAST = '../../src/web/ui/toaster/toast.ts';
const ORIGIN = 'https://sorpresa.example';
const address = (id: string) => `${ORIGIN}/api/admin/uploads/${id}`;
const film = new File(['0123456789'], 'film.mp4');

/** What the bytes on their way tell, one for each file that is sent. */
let sendings: { file: File; events: SendingEvents; did: string[] }[];
let errors: string[];
let arrived: unknown[];
let view: EventTarget;
let page: EventTarget & { visibilityState: string };
let kept: Map<string, string>;
let held: { name: string }[];
let uploads: typeof Uploads;
let store: typeof Store;
let remembered: typeof Remembered;

const job: UploadTarget = { slot: 'video', onArrived: (whole) => arrived.push(whole) };
const release = vi.fn(async () => undefined);
const lock = vi.fn(async () => ({ release }));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  [sendings, errors, arrived, held] = [[], [], [], []];
  view = new EventTarget();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  kept = new Map();
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view));
  vi.stubGlobal('navigator', { locks: fakeLocks(), wakeLock: { request: lock } });
  vi.clearAllMocks();
  vi.doMock(SENDING, () => ({
    createSending: (file: File, _slot: string, events: SendingEvents) => {
      const did: string[] = [];
      sendings.push({ file, events, did });
      return {
        go: async () => void did.push('go'),
        rest: () => void did.push('rest'),
        abandon: async () => void did.push('abandon'),
      };
    },
  }));
  vi.doMock(TOAST, () => ({ toastError: (message: string) => errors.push(message) }));
  const { defaultOptions } = await import('tus-js-client');
  vi.spyOn(defaultOptions, 'urlStorage', 'get').mockReturnValue(fakeStorage());
  uploads = await import('../../src/web/admin/components/media/uploads/uploads.ts');
  store = await import('../../src/web/admin/components/media/uploads/store.ts');
  remembered = await import('../../src/web/admin/components/media/uploads/remembered.ts');
});
afterEach(() => {
  uploads.pauseUploads();
  vi.doUnmock(SENDING);
  vi.doUnmock(TOAST);
  // Nobody after this file gets a module that was made around what stood in.
  vi.resetModules();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What tus keeps in the browser: by key, the address of an upload. */
function fakeStorage() {
  const entry = (key: string) => {
    const [slot = '', filename = '', uploadUrl = ''] = (kept.get(key) ?? '').split('|');
    const known = { size: 10, metadata: { slot, filename }, creationTime: '', parallelUploadUrls: null };
    return { ...known, urlStorageKey: key, uploadUrl: uploadUrl === '' ? null : uploadUrl };
  };
  return {
    findAllUploads: async () => [...kept.keys()].map(entry),
    findUploadsByFingerprint: async () => [],
    addUpload: async () => '',
    removeUpload: async (key: string) => void kept.delete(key),
  };
}

/** Locks of a page that holds them until it lets go. */
function fakeLocks() {
  return {
    request: async (name: string, _how: object, holding: () => Promise<void>) => {
      const lock = { name };
      held.push(lock);
      await holding();
      held = held.filter((other) => other !== lock);
    },
    query: async () => ({ held }),
  };
}

/** Starts an upload. @returns its key, and its bytes on their way */
function begin(file = film) {
  uploads.startUpload(file, job);
  const sending = sendings.at(-1);
  if (sending === undefined) throw new Error('Nothing is sent');
  const key = `upload-${sendings.length}`;
  return { key, ...sending, upload: () => store.findUpload(key) };
}
const phase = (upload: Upload | undefined) => upload?.state.phase;

describe('while uploads are on the page', () => {
  const add = (key: string, state: Upload['state']) =>
    store.addUpload({ key, upload: null, slot: 'video', nome: 'film.mp4', size: 10, sent: 0, state });
  const sending = { phase: 'sending', bytesPerSecond: null, secondsLeft: null } as const;
  /** Does leaving the page ask first? */
  const asks = () => !view.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const turn = (state: string) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
    return lock.mock.calls.length;
  };

  test('leaving asks first and the screen stays on as long as bytes leave; what is gone stays gone', async () => {
    expect(asks()).toBe(false);
    add('a', sending);
    add('b', sending);
    expect([asks(), lock.mock.calls.length]).toEqual([true, 1]);
    store.removeUpload('b');
    expect([asks(), turn('hidden'), turn('visible')]).toEqual([true, 1, 2]);
    store.updateUpload('a', { sent: 5, state: { phase: 'refused', messaggio: '' } });
    await pass(0);
    expect([asks(), release.mock.calls.length, store.findUpload('a')?.sent]).toEqual([false, 1, 5]);
    expect(turn('visible')).toBe(2);
    store.removeUpload('a');
    store.updateUpload('a', { sent: 6 });
    expect(store.findUpload('a')).toBeUndefined();
  });

  test('each that is not over wants the page', () => {
    const states = [
      { phase: 'waiting' },
      { phase: 'file-lost' },
      ...['failed', 'refused'].map((phase) => ({ phase, messaggio: '' })),
    ];
    const wanted = states.map((state) => {
      add('a', state as Upload['state']);
      const asked = asks();
      store.removeUpload('a');
      return asked;
    });
    expect(wanted).toEqual([true, true, false, false]);
  });
});

test('what has arrived whole is handed on, and off the list; the server’s address is forgotten here', async () => {
  const { events, did, upload } = begin();
  expect([did, upload()]).toEqual([['go'], expect.objectContaining({ nome: 'film.mp4', size: 10, sent: 0 })]);
  // Without an address nothing of it can be on the server.
  events.onSent();
  expect([arrived, phase(upload())]).toEqual([[], 'sending']);
  kept.set('a', `video|film.mp4|${address('u1')}`);
  kept.set('b', `video|other.mp4|${address('u2')}`);
  events.onAddress(address('u1'));
  expect([upload()?.upload, held]).toEqual(['u1', [{ name: 'sorpresa-upload u1' }]]);
  events.onSent();
  await pass(0);
  expect(arrived).toEqual([{ upload: 'u1', slot: 'video', nome: 'film.mp4', size: 10 }]);
  expect([upload(), held, [...kept.keys()]]).toEqual([undefined, [], ['b']]);
  events.onSent();
  expect(arrived).toHaveLength(1);
});

test('what passes by itself is waited for, longer each time; what the server takes in makes it short again', async () => {
  const { events, did, upload } = begin();
  const tries = () => did.filter((word) => word === 'go').length;
  for (const [index, ms] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    events.onStop({ kind: 'wait' });
    expect(phase(upload())).toBe('waiting');
    await pass(ms - 1);
    expect(tries()).toBe(index + 1);
    await pass(1);
    expect(tries()).toBe(index + 2);
  }
  events.onTaken();
  events.onStop({ kind: 'wait' });
  await pass(1_000);
  expect(tries()).toBe(9);
});

test('the network, or the administrator, is back: nothing is waited for, and it is tried once', async () => {
  const { events, did } = begin();
  events.onStop({ kind: 'wait' });
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(did).toEqual(['go']);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(did).toEqual(['go', 'go']);
  view.dispatchEvent(new Event('online'));
  await pass(60_000);
  expect(did).toEqual(['go', 'go']);
  events.onStop({ kind: 'wait' });
  // Told twice, it waits once.
  events.onStop({ kind: 'wait' });
  view.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('visibilitychange'));
  await pass(60_000);
  expect(did).toEqual(['go', 'go', 'go']);
});

test('a file that the phone took away is asked for again; nothing is tried by itself', async () => {
  const { events, did, upload, key } = begin();
  events.onStop({ kind: 'file-lost' });
  await pass(60_000);
  expect([phase(upload()), did, errors]).toEqual(['file-lost', ['go'], []]);
  const again = new File(['0123456789'], 'again.mp4');
  uploads.reattachFile(key, again);
  expect([phase(upload()), sendings.at(-1)?.file, sendings.at(-1)?.did]).toEqual(['sending', again, ['go']]);
});

describe('what stops it is told, and shown where it still stands on the list', () => {
  const failed = (codice: 'SIGN_IN_REQUIRED' | 'UNREADABLE') =>
    ({ kind: 'failed', failure: new ApiError(codice, 'Non va.') }) as const;
  /** An upload with an address, which the browser remembers. */
  const known = () => {
    const begun = begin();
    kept.set('a', `video|film.mp4|${address('u1')}`);
    begun.events.onAddress(address('u1'));
    return begun;
  };

  test('a refusal is for good: nothing of it is kept', async () => {
    const { events, upload } = known();
    events.onStop({ kind: 'refused', messaggio: 'Troppo grande.' });
    await pass(0);
    expect(upload()?.state).toEqual({ phase: 'refused', messaggio: 'Troppo grande.' });
    expect([errors, kept.size, held]).toEqual([['Troppo grande.'], 0, []]);
  });

  test('a failure can be tried again, and what arrived is kept; signed out it says what that means', async () => {
    const { events, upload, did, key } = known();
    events.onStop(failed('UNREADABLE'));
    await pass(60_000);
    expect(upload()?.state).toEqual({ phase: 'failed', messaggio: 'Non va.' });
    expect([errors, kept.size, held.length, did]).toEqual([['Non va.'], 1, 1, ['go']]);
    uploads.retryUpload(key);
    expect([phase(upload()), did]).toEqual(['sending', ['go', 'go']]);
    events.onStop(failed('SIGN_IN_REQUIRED'));
    expect(upload()?.state).not.toMatchObject({ messaggio: 'Non va.' });
    expect(errors[1]).toMatch(/acced/i);
  });

  test('one that was taken off the list says nothing more', async () => {
    const { events, key, did } = known();
    uploads.dismissUpload(key);
    events.onStop(failed('UNREADABLE'));
    events.onStop({ kind: 'wait' });
    events.onSent();
    await pass(60_000);
    expect([errors, arrived, did]).toEqual([[], [], ['go']]);
  });
});

test('how far it is and how fast it goes; a pause counts for nothing', async () => {
  const { events, upload, key } = begin(new File([new Uint8Array(10_000)], 'film.mp4'));
  events.onProgress(0);
  expect(upload()).toMatchObject({ sent: 0, state: { bytesPerSecond: null, secondsLeft: null } });
  for (let second = 1; second <= 10; second += 1) {
    await pass(1_000);
    events.onProgress(second * 100);
  }
  const state = upload()?.state;
  if (state?.phase !== 'sending') throw new Error('It is not on its way');
  expect(state.bytesPerSecond).toBeCloseTo(100);
  expect(state.secondsLeft).toBeCloseTo(90);
  await pass(600_000);
  uploads.retryUpload(key);
  events.onProgress(1_000);
  expect(upload()?.state).toMatchObject({ bytesPerSecond: null });
});

test('cancelled, it is off the list at once and freed on the server; at rest, it is kept for another time', async () => {
  kept.set('a', `video|film.mp4|${address('u1')}`);
  kept.set('b', `video|film.mp4|${address('u2')}`);
  const first = begin();
  first.events.onAddress(address('u0'));
  // An address that is told anew takes the place of the one before, here and for other tabs.
  for (const told of ['u1', 'u1']) first.events.onAddress(address(told));
  expect(first.upload()?.upload).toBe('u1');
  first.events.onStop({ kind: 'wait' });
  const second = begin();
  second.events.onAddress(address('u2'));
  second.events.onStop({ kind: 'wait' });
  await uploads.cancelUpload(first.key);
  expect([first.upload(), first.did, [...kept.keys()]]).toEqual([undefined, ['go', 'abandon'], ['b']]);
  uploads.pauseUploads();
  await pass(60_000);
  expect(second.upload()).toBeUndefined();
  expect(second.did).toEqual(['go', 'rest']);
  expect([...kept.keys()]).toEqual(['b']);
  expect(held).toEqual([]);
});

describe('what an earlier page left', () => {
  const answers = (given: Record<string, Response>) => {
    const asked = vi.fn(async (url: string) => given[url] ?? new Response(null, { status: 500 }));
    vi.stubGlobal('fetch', asked);
    return asked;
  };
  const there = (offset: number) => new Response(null, { headers: { 'Upload-Offset': `${offset}` } });
  const status = (code: number) => new Response(null, { status: code });

  test('is offered for its slot, with what is there; what the server has whole, or not any more, is forgotten', async () => {
    const names = ['half', 'whole', 'gone', 'swept', 'song', 'busy'];
    for (const [index, name] of names.entries()) {
      const slot = name === 'song' ? 'canzone' : 'video';
      kept.set(name, `${slot}|${name}.mp4|https://another.name/api/admin/uploads/u${index + 1}`);
    }
    kept.set('nowhere', 'video|nowhere.mp4|');
    const found = [there(9), there(10), status(404), status(410), undefined, status(503)];
    answers(
      Object.fromEntries(found.flatMap((each, index) => (each ? [[address(`u${index + 1}`), each]] : []))),
    );
    expect(await remembered.listUnfinished('video')).toEqual([
      { storageKey: 'half', slot: 'video', nome: 'half.mp4', address: address('u1'), size: 10, sent: 9 },
    ]);
    expect([...kept.keys()]).toEqual(['half', 'song', 'busy', 'nowhere']);
  });

  test('is not offered while another tab cares for it, and is where the browser has no locks', async () => {
    kept.set('a', `video|film.mp4|${address('u1')}`);
    const offered = async () => (await remembered.listUnfinished('video')).length;
    const asked = answers({ [address('u1')]: there(5) });
    const letGo = remembered.markRunning(address('u1'));
    expect(await offered()).toBe(0);
    letGo();
    await pass(0);
    expect(await offered()).toBe(1);
    expect(asked).toHaveBeenCalledOnce();
    vi.stubGlobal('navigator', {});
    answers({ [address('u1')]: there(5) });
    remembered.markRunning(address('u1'))();
    expect(await offered()).toBe(1);
  });

  test('is deleted there and forgotten here, when somebody says so, also where it can’t be deleted', async () => {
    const { Upload } = await import('tus-js-client');
    const terminate = vi.spyOn(Upload, 'terminate').mockRejectedValue(new Error('gone'));
    kept.set('a', `video|film.mp4|${address('u1')}`);
    await remembered.discardUpload(address('u1'));
    expect([terminate.mock.calls[0]?.[0], kept.size]).toEqual([address('u1'), 0]);
  });
});
