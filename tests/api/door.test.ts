import { expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { ok } from '../support/http-evening.ts';
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
