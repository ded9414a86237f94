import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UploadTarget } from '../../src/web/admin/components/media/uploads/job.ts';
import type * as Remembered from '../../src/web/admin/components/media/uploads/remembered.ts';
import type { SendingEvents } from '../../src/web/admin/components/media/uploads/sending.ts';
import type * as Store from '../../src/web/admin/components/media/uploads/store.ts';
import type { Upload } from '../../src/web/admin/components/media/uploads/upload.ts';
import type * as Uploads from '../../src/web/admin/components/media/uploads/uploads.ts';
import { ApiError } from '../../src/web/api/failure.ts';

/** Uploads: waiting, resuming, messages and remembered entries. */

const SENDING = '../../src/web/admin/components/media/uploads/sending.ts';
const TOAST = '../../src/web/ui/toaster/toast.ts';
const ORIGIN = 'https://sorpresa.example';
const address = (id: string) => `${ORIGIN}/api/admin/uploads/${id}`;
const film = new File(['0123456789'], 'film.mp4');

/** Event handlers and recorded calls of each sending. */
let sendings: { file: File; events: SendingEvents; did: string[] }[];
let errors: string[];
let arrived: unknown[];
let view: EventTarget;
let page: EventTarget & { visibilityState: string };
let storedUploads: Map<string, string>;
let heldLocks: { name: string }[];
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
  [sendings, errors, arrived, heldLocks] = [[], [], [], []];
  view = new EventTarget();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  storedUploads = new Map();
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
        pause: () => void did.push('pause'),
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
  // Later test files must not get modules created with these mocks.
  vi.resetModules();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** URL storage of tus: upload addresses by key. */
function fakeStorage() {
  const entry = (key: string) => {
    const [slot = '', filename = '', uploadUrl = ''] = (storedUploads.get(key) ?? '').split('|');
    const known = { size: 10, metadata: { slot, filename }, creationTime: '', parallelUploadUrls: null };
    return { ...known, urlStorageKey: key, uploadUrl: uploadUrl === '' ? null : uploadUrl };
  };
  return {
    findAllUploads: async () => [...storedUploads.keys()].map(entry),
    findUploadsByFingerprint: async () => [],
    addUpload: async () => '',
    removeUpload: async (key: string) => void storedUploads.delete(key),
  };
}

/** Web Locks that are held until their callback resolves. */
function fakeLocks() {
  return {
    request: async (name: string, _how: object, holding: () => Promise<void>) => {
      const lock = { name };
      heldLocks.push(lock);
      await holding();
      heldLocks = heldLocks.filter((other) => other !== lock);
    },
    query: async () => ({ held: heldLocks }),
  };
}

/** Starts an upload. @returns its key, its sending and a function that reads its state */
function begin(file = film) {
  uploads.startUpload(file, job);
  const sending = sendings.at(-1);
  if (sending === undefined) throw new Error('Nothing is sent');
  const key = `upload-${sendings.length}`;
  return { key, ...sending, upload: () => store.findUpload(key) };
}
const phase = (upload: Upload | undefined) => upload?.state.phase;

describe('uploads on the page', () => {
  const add = (key: string, state: Upload['state']) =>
    store.addUpload({ key, upload: null, slot: 'video', nome: 'film.mp4', size: 10, sent: 0, state });
  const sending = { phase: 'sending', bytesPerSecond: null, secondsLeft: null } as const;
  /** Returns true if leaving the page asks first. */
  const asks = () => !view.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const turn = (state: string) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
    return lock.mock.calls.length;
  };

  test('asks before leaving and prevents sleep while sending, and does not restore removed uploads', async () => {
    expect(asks()).toBe(false);
    add('a', sending);
    add('b', sending);
    expect([asks(), lock.mock.calls.length]).toEqual([true, 1]);
    store.removeUpload('b');
    for (const phase of ['waiting', 'file-lost'] as const) {
      store.updateUpload('a', { state: { phase } });
      expect(asks()).toBe(true);
    }
    expect([asks(), turn('hidden'), turn('visible')]).toEqual([true, 1, 2]);
    store.updateUpload('a', { sent: 5, state: { phase: 'refused', messaggio: '' } });
    await pass(0);
    expect([asks(), release.mock.calls.length, store.findUpload('a')?.sent]).toEqual([false, 1, 5]);
    expect(turn('visible')).toBe(2);
    store.removeUpload('a');
    store.updateUpload('a', { sent: 6 });
    expect(store.findUpload('a')).toBeUndefined();
  });
});

test('passes on a complete upload, removes it from the list and forgets its address', async () => {
  const { events, did, upload } = begin();
  expect([did, upload()]).toEqual([['go'], expect.objectContaining({ nome: 'film.mp4', size: 10, sent: 0 })]);
  // Without an address, nothing is stored on the server.
  events.onSent();
  expect([arrived, phase(upload())]).toEqual([[], 'sending']);
  storedUploads.set('a', `video|film.mp4|${address('u1')}`);
  storedUploads.set('b', `video|other.mp4|${address('u2')}`);
  events.onAddress(address('u1'));
  expect([upload()?.upload, heldLocks]).toEqual(['u1', [{ name: 'sorpresa-upload u1' }]]);
  events.onSent();
  await pass(0);
  expect(arrived).toEqual([{ upload: 'u1', slot: 'video', nome: 'film.mp4', size: 10 }]);
  expect([upload(), heldLocks, [...storedUploads.keys()]]).toEqual([undefined, [], ['b']]);
});

test('waits longer after each temporary stop, and resets the delay when the server accepts data', async () => {
  const { events, did, upload } = begin();
  const attempts = () => did.filter((word) => word === 'go').length;
  for (const [index, ms] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    events.onStop({ kind: 'wait' });
    expect(phase(upload())).toBe('waiting');
    await pass(ms - 1);
    expect(attempts()).toBe(index + 1);
    await pass(1);
    expect(attempts()).toBe(index + 2);
  }
  events.onTaken();
  events.onStop({ kind: 'wait' });
  await pass(1_000);
  expect(attempts()).toBe(9);
});

test('retries once without waiting when the network returns or the page becomes visible', async () => {
  const { events, did } = begin();
  events.onStop({ kind: 'wait' });
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(did).toEqual(['go']);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(did).toEqual(['go', 'go']);
  events.onStop({ kind: 'wait' });
  // A second stop starts no second wait.
  events.onStop({ kind: 'wait' });
  view.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('visibilitychange'));
  await pass(60_000);
  expect(did).toEqual(['go', 'go', 'go']);
});

test('requests a lost file again, without automatic retries', async () => {
  const { events, did, upload, key } = begin();
  events.onStop({ kind: 'file-lost' });
  await pass(60_000);
  expect([phase(upload()), did, errors]).toEqual(['file-lost', ['go'], []]);
  const again = new File(['0123456789'], 'again.mp4');
  uploads.reattachFile(key, again);
  expect([phase(upload()), sendings.at(-1)?.file, sendings.at(-1)?.did]).toEqual(['sending', again, ['go']]);
});

describe('stopped upload', () => {
  const failed = (codice: 'SIGN_IN_REQUIRED' | 'UNREADABLE') =>
    ({ kind: 'failed', failure: new ApiError(codice, 'Non va.') }) as const;
  /** Starts an upload with an address stored in the browser. */
  const known = () => {
    const started = begin();
    storedUploads.set('a', `video|film.mp4|${address('u1')}`);
    started.events.onAddress(address('u1'));
    return started;
  };

  test('reports a refusal and forgets the upload', async () => {
    const { events, upload } = known();
    events.onStop({ kind: 'refused', messaggio: 'Troppo grande.' });
    await pass(0);
    expect(upload()?.state).toEqual({ phase: 'refused', messaggio: 'Troppo grande.' });
    expect([errors, storedUploads.size, heldLocks]).toEqual([['Troppo grande.'], 0, []]);
  });

  test('can be retried after a failure without losing data, and explains a missing sign-in', async () => {
    const { events, upload, did, key } = known();
    events.onStop(failed('UNREADABLE'));
    await pass(60_000);
    expect(upload()?.state).toEqual({ phase: 'failed', messaggio: 'Non va.' });
    expect([errors, storedUploads.size, heldLocks.length, did]).toEqual([['Non va.'], 1, 1, ['go']]);
    uploads.retryUpload(key);
    expect([phase(upload()), did]).toEqual(['sending', ['go', 'go']]);
    events.onStop(failed('SIGN_IN_REQUIRED'));
    expect(upload()?.state).not.toMatchObject({ messaggio: 'Non va.' });
    expect(errors[1]).toMatch(/acced/i);
  });

  test('reports nothing after it was dismissed', async () => {
    const { events, key, did } = known();
    uploads.dismissUpload(key);
    events.onStop(failed('UNREADABLE'));
    events.onStop({ kind: 'wait' });
    events.onSent();
    await pass(60_000);
    expect([errors, arrived, did]).toEqual([[], [], ['go']]);
  });
});

test('reports progress and a smoothed speed, ignoring pauses', async () => {
  const { events, upload, key } = begin(new File([new Uint8Array(10_000)], 'film.mp4'));
  events.onProgress(0);
  expect(upload()).toMatchObject({ sent: 0, state: { bytesPerSecond: null, secondsLeft: null } });
  for (let second = 1; second <= 10; second += 1) {
    await pass(1_000);
    events.onProgress(second * 100);
  }
  const speedAfter = async (ms: number, sent: number) => {
    await pass(ms);
    events.onProgress(sent);
    const state = upload()?.state;
    if (state?.phase !== 'sending') throw new Error('The upload is not sending');
    return [
      Math.round(state.bytesPerSecond ?? Number.NaN),
      state.secondsLeft && Math.round(state.secondsLeft),
    ];
  };
  expect(await speedAfter(1_000, 1_100)).toEqual([100, 89]);
  // A burst counts little, a chunk that is sent again not at all, and a standstill has no end.
  const [burst] = await speedAfter(500, 6_100);
  expect(burst).toBeLessThan(1_000);
  expect(await speedAfter(500, 3_000)).toEqual([burst, expect.any(Number)]);
  expect(await speedAfter(300_000, 3_000)).toEqual([0, null]);
  await pass(600_000);
  uploads.retryUpload(key);
  events.onProgress(1_000);
  expect(upload()?.state).toMatchObject({ bytesPerSecond: null });
});

test('removes a cancelled upload here and on the server, and preserves a paused one for later', async () => {
  storedUploads.set('a', `video|film.mp4|${address('u1')}`);
  storedUploads.set('b', `video|film.mp4|${address('u2')}`);
  const first = begin();
  first.events.onAddress(address('u0'));
  // A new address replaces the previous one, also for other tabs.
  for (const uploadId of ['u1', 'u1']) first.events.onAddress(address(uploadId));
  expect(first.upload()?.upload).toBe('u1');
  first.events.onStop({ kind: 'wait' });
  const second = begin();
  second.events.onAddress(address('u2'));
  second.events.onStop({ kind: 'wait' });
  await uploads.cancelUpload(first.key);
  expect([first.upload(), first.did, [...storedUploads.keys()]]).toEqual([
    undefined,
    ['go', 'abandon'],
    ['b'],
  ]);
  uploads.pauseUploads();
  await pass(60_000);
  expect(second.upload()).toBeUndefined();
  expect(second.did).toEqual(['go', 'pause']);
  expect([...storedUploads.keys()]).toEqual(['b']);
  expect(heldLocks).toEqual([]);
});

describe('unfinished upload of an earlier page', () => {
  const answers = (replies: Record<string, Response>) => {
    const asked = vi.fn(async (url: string) => replies[url] ?? new Response(null, { status: 500 }));
    vi.stubGlobal('fetch', asked);
    return asked;
  };
  const there = (offset: number) => new Response(null, { headers: { 'Upload-Offset': `${offset}` } });
  const status = (code: number) => new Response(null, { status: code });

  test('is offered for its slot with its progress, and forgotten if complete or missing on the server', async () => {
    const names = ['half', 'whole', 'gone', 'swept', 'song', 'busy'];
    for (const [index, name] of names.entries()) {
      const slot = name === 'song' ? 'canzone' : 'video';
      storedUploads.set(name, `${slot}|${name}.mp4|https://another.name/api/admin/uploads/u${index + 1}`);
    }
    storedUploads.set('nowhere', 'video|nowhere.mp4|');
    const statuses = [there(9), there(10), status(404), status(410), undefined, status(503)];
    answers(
      Object.fromEntries(statuses.flatMap((each, index) => (each ? [[address(`u${index + 1}`), each]] : []))),
    );
    expect(await remembered.listUnfinished('video')).toEqual([
      { storageKey: 'half', slot: 'video', nome: 'half.mp4', address: address('u1'), size: 10, sent: 9 },
    ]);
    expect([...storedUploads.keys()]).toEqual(['half', 'song', 'busy', 'nowhere']);
  });

  test('is not offered while another tab runs it, and is offered without browser locks', async () => {
    storedUploads.set('a', `video|film.mp4|${address('u1')}`);
    const offered = async () => (await remembered.listUnfinished('video')).length;
    const asked = answers({ [address('u1')]: there(5) });
    const unmark = remembered.markRunning(address('u1'));
    expect(await offered()).toBe(0);
    unmark();
    await pass(0);
    expect(await offered()).toBe(1);
    expect(asked).toHaveBeenCalledOnce();
    vi.stubGlobal('navigator', {});
    answers({ [address('u1')]: there(5) });
    remembered.markRunning(address('u1'))();
    expect(await offered()).toBe(1);
  });

  test('is deleted on the server and forgotten here on request, even if the deletion fails', async () => {
    const { Upload } = await import('tus-js-client');
    const terminate = vi.spyOn(Upload, 'terminate').mockRejectedValue(new Error('gone'));
    storedUploads.set('a', `video|film.mp4|${address('u1')}`);
    await remembered.discardUpload(address('u1'));
    expect([terminate.mock.calls[0]?.[0], storedUploads.size]).toEqual([address('u1'), 0]);
  });
});
