import { expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';

test.each([undefined, 'http://127.0.0.1:3000'])(
  'the pages learn the site’s own address from the installation: %s',
  async (PUBLIC_URL) => {
    const server = await startServer({ env: PUBLIC_URL === undefined ? {} : { PUBLIC_URL } });
    try {
      const origin = PUBLIC_URL ?? server.url;
      const headers = { origin };
      const account = { email: 'anna@example.org', password: 'una frase molto lunga 7', name: 'Anna' };
      const { cookie } = ok(await call(server.url, 'POST', '/auth/sign-up/email', account, { headers }));
      expect(ok(await call(server.url, 'GET', '/admin/me', undefined, { cookie })).body).toEqual({
        email: account.email,
        public_url: PUBLIC_URL ?? null,
        max_video_bytes: 2 * 1024 ** 3,
      });
    } finally {
      await server.stop();
    }
  },
);

test.each([
  [{}, true, false],
  [{ REGISTRATION: 'open' }, false, false],
])(
  'the door opens on registering while only the first may and nobody has: %j',
  async (env, before, after) => {
    const server = await startServer({ env });
    try {
      const first = async () => ok(await call(server.url, 'GET', '/admin/door')).body.first;
      expect(await first()).toBe(before);
      await signUp(server);
      expect(await first()).toBe(after);
    } finally {
      await server.stop();
    }
  },
);
