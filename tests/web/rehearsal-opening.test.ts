import { afterEach, expect, test, vi } from 'vitest';
import { networkTexts } from '../../src/texts/network.ts';
import { findRehearsal, mayGoOn } from '../../src/web/visitor/rehearsal/find-rehearsal.ts';

/** What the rehearsal's page makes of what it is told when it opens. */

afterEach(() => vi.unstubAllGlobals());

const json = (status: number, body: unknown) => () => Response.json(body, { status });
const refused = (status: number, codice: string) => json(status, { codice, messaggio: `«${codice}»` });
const lost = () => {
  throw new TypeError('Failed to fetch');
};
const entered = json(200, { scadenza: '2027-02-14T20:00:00.000Z' });
const over = refused(401, 'REHEARSAL_OVER');
const signIn = refused(401, 'SIGN_IN_REQUIRED');
const content = (as: string) => json(200, { as, snapshot: {} });

type Reply = () => Response;

/** What each address answers; what was asked, in order. */
function answering({ enter, read }: { enter?: Reply; read?: Reply }): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const reply = path === '/api/rehearsal/enter' ? enter : read;
    if (reply === undefined) throw new Error(`${path} wasn't to be asked`);
    return reply();
  });
  return asked;
}

test('a pass opens it, and is given before anything is read', async () => {
  const asked = answering({ enter: entered, read: content('guest') });
  expect(await findRehearsal('pass')).toEqual({ state: 'open', as: 'guest', snapshot: {} });
  expect(asked).toEqual(['/api/rehearsal/enter', '/api/rehearsal']);
});

test('a pass that is no good is in nobody’s way: who is signed in, or has another, sees the rehearsal', async () => {
  for (const as of ['admin', 'guest']) {
    answering({ enter: over, read: content(as) });
    expect(await findRehearsal('pass')).toEqual({ state: 'open', as, snapshot: {} });
  }
  // What isn't even a pass is the same.
  answering({ enter: refused(400, 'BAD_INPUT'), read: content('admin') });
  expect(await findRehearsal('x'.repeat(600))).toMatchObject({ state: 'open' });
});

test('who has nothing else is told that the pass is over; without a pass it is signing in that is missing', async () => {
  answering({ enter: over, read: signIn });
  expect(await findRehearsal('pass')).toEqual({ state: 'over' });
  answering({ read: over });
  expect(await findRehearsal(null)).toEqual({ state: 'over' });
  const asked = answering({ read: signIn });
  expect(await findRehearsal(null)).toEqual({ state: 'stranger' });
  expect(asked).toEqual(['/api/rehearsal']);
});

test('what isn’t ready and what got lost are told as such, pass or not', async () => {
  const unready = refused(409, 'VIDEO_MISSING');
  for (const enter of [entered, over]) {
    answering({ enter, read: unready });
    expect(await findRehearsal('pass')).toEqual({ state: 'unready', messaggio: '«VIDEO_MISSING»' });
    answering({ enter, read: refused(503, 'UNAVAILABLE') });
    expect(await findRehearsal('pass')).toEqual({ state: 'failed', messaggio: '«UNAVAILABLE»' });
  }
  // The pass hasn't been heard of: it is not over, and is to be brought again.
  answering({ enter: lost });
  expect(await findRehearsal('pass')).toEqual({ state: 'failed', messaggio: networkTexts.offline });
});

test('a phone goes on until it hears that its pass is over: not for a lost network or a change of the surprise', async () => {
  for (const read of [content('guest'), lost, refused(503, 'UNAVAILABLE'), refused(409, 'VIDEO_MISSING')]) {
    answering({ read });
    expect(await mayGoOn()).toBe(true);
  }
  for (const read of [over, signIn]) {
    answering({ read });
    expect(await mayGoOn()).toBe(false);
  }
});
