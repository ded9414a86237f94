import type { Deps } from '../src/server/deps.ts';

/** A client of the administrator's HTTP API, for preparing a surprise by program. */
export type AdminClient = {
  /** Calls an address under `/api`; throws with the server's message if it refuses. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
};

export type Account = { email: string; password: string };

/** Registers the first administrator and stays signed in. */
export async function signedUpAdmin({ url, deps }: Served, account: Account): Promise<AdminClient> {
  const { PUBLIC_URL, HTTPS_DOMAIN } = deps.env;
  // The machine's own HTTP listener has a different origin.
  const origin = HTTPS_DOMAIN === undefined ? PUBLIC_URL : undefined;
  const setup_code = deps.auth.setupCode(null) ?? '';
  const body = { ...account, setup_code };
  return adminClient(url, await cookiesOf(url, '/auth/sign-up/email', body, origin), origin);
}

type Served = { url: string; deps: Pick<Deps, 'env' | 'auth'> };

/** Registers the first administrator; returns the session's cookies. */
export function signUp(url: string, account: Account): Promise<string> {
  return cookiesOf(url, '/auth/sign-up/email', { ...account, name: account.email });
}

/** Signs in; returns the session's cookies. */
export function signIn(url: string, account: Account): Promise<string> {
  return cookiesOf(url, '/auth/sign-in/email', account);
}

async function cookiesOf(url: string, path: string, body: unknown, origin = url): Promise<string> {
  const response = await send(url, 'POST', path, body, { origin });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/**
 * Creates a client with these cookies.
 * @param origin address of the site's pages, if the server is called under another one
 */
export function adminClient(url: string, cookie: string, origin = url): AdminClient {
  return {
    call: async <T>(method: string, path: string, body?: unknown) =>
      (await (await send(url, method, path, body, { cookie, origin })).json()) as T,
  };
}

async function send(
  url: string,
  method: string,
  path: string,
  body: unknown,
  { cookie = '', origin }: { cookie?: string; origin: string },
): Promise<Response> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: new URL(origin).origin, cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} was refused: ${response.status} ${await response.text()}`);
  return response;
}
