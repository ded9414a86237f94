import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Pages that ask for an administrator. */
const ADMINS = /^\/(admin|prova)(\/|$|\?)/;
const OWN_MACHINE = /^(::ffff:)?127\.|^::1$/;

/**
 * `npm run dev -- --signed-in`: who opens a page of the administration on this machine gets a session of the demo's administrator, by the
 * product's own sign-in, as if the password had been typed. Nothing of it is in the server: what runs in production has no Vite, and a
 * data folder that the demo didn't make has no such file.
 * @param keys the demo's `demo.json`: its e-mail and password
 * @param api where the server answers
 */
export function devSignIn(keys: string, api: string): Plugin {
  return {
    name: 'signed-in',
    apply: 'serve',
    configureServer({ middlewares, config }) {
      middlewares.use((request, response, next) => {
        const { url = '/', headers, socket } = request;
        if (!isSignedIn(url, headers.accept ?? '', socket.remoteAddress ?? '')) return next();
        newSession(keys, api, request.headers.cookie ?? '')
          .then((cookies) => {
            if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
          })
          .catch((error: unknown) => config.logger.warn(`Not signed in: ${String(error)}`))
          .finally(next);
      });
    },
  };
}

/** Is this a page that comes with a session? Asked for from another machine (`vite --host`) it doesn't. */
export function isSignedIn(url: string, accept: string, from: string): boolean {
  return accept.includes('text/html') && ADMINS.test(url) && OWN_MACHINE.test(from);
}

/** The cookies of a session; none where the browser has one. */
async function newSession(keys: string, api: string, cookie: string): Promise<string[]> {
  const session = await fetch(`${api}/api/auth/get-session`, { headers: { cookie } });
  if (session.ok && (await session.json()) !== null) return [];
  const { email, password } = JSON.parse(await readFile(keys, 'utf8')) as Record<string, string>;
  const response = await fetch(`${api}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.headers.getSetCookie();
}
