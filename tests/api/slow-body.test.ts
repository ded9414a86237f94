import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSignedUp } from '../support/suites.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

const { server, to } = useSignedUp();
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Sends the head of a request and waits until the server has read it. */
async function begin(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<ClientRequest> {
  const sent = request(`${server.url}/api${path}`, {
    method,
    agent: false,
    headers: {
      origin: server.url,
      'content-type': 'application/json',
      'content-length': '10',
      expect: '100-continue',
      ...headers,
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  return sent;
}

test.each([
  ['POST', '/access'],
  ['GET', '/site'],
  ['POST', '/nowhere'],
  ['POST', '/admin/uploads'],
  ['PATCH', `/admin/uploads/${'a'.repeat(32)}`],
])('a body that takes longer than fifteen seconds is cut, whatever is asked: %s %s', async (method, path) => {
  const sent = await begin(method, path);
  const closed = new Promise((resolve) => sent.on('close', resolve));
  sent.on('error', () => undefined).on('response', (response) => response.resume());
  sent.write('{');
  let over = false;
  void closed.then(() => (over = true));
  await vi.advanceTimersByTimeAsync(14_999);
  if (path === '/access') expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});

test('a piece of the administrator’s upload takes as long as it takes', async () => {
  const id = idOf(await announce(to, 10, { slot: 'video', filename: 'film.mp4' }));
  const sent = await begin('PATCH', `/admin/uploads/${id}`, {
    cookie: to.cookie,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write('first');
  await expect.poll(() => arrived(server, id)).toBe(5);
  await vi.advanceTimersByTimeAsync(60_000);
  sent.end('later');
  expect((await answered)[0].statusCode).toBe(204);
});
