import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Pages that require an administrator. */
const ADMIN_PAGES = /^\/(admin|prova)(\/|$|\?)/;
const OWN_MACHINE = /^(::ffff:)?127\.|^::1$/;

/**
 * Signs in the demo's administrator when an administration page is opened on this machine (`npm run dev -- --signed-in`). Uses the
 * regular sign-in. Production is unaffected: it has no Vite, and only the demo writes the file with the password.
 * @param keys path of the demo's `demo.json`: e-mail and password
 * @param api origin of the server
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

/** Returns true if this request should get a session: an administration page, requested from this machine (not through `vite --host`). */
export function isSignedIn(url: string, accept: string, from: string): boolean {
  return accept.includes('text/html') && ADMIN_PAGES.test(url) && OWN_MACHINE.test(from);
}

/** Returns the cookies of a new session; empty if the browser already has one. */
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
