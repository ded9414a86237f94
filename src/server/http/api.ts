import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Env } from '../env.ts';
import { bodyFormRefusal, isOurBeacon, isOurOrigin } from './edge.ts';
import { type Endpoint, type Find, finder } from './endpoints.ts';
import { type BodyResult, MAX_BODY, MAX_LONG_BODY, parseJson, readBody } from './json-body.ts';
import { refuse } from './refusals.ts';
import type { HttpContext } from './scope.ts';

/** `sendBeacon` sets no headers: only here its plain text is read as JSON. */
const BEACON_PATH = '/visit/track-user-exit';

/** Everything under `/api`: what isn't there, isn't ours to ask, or isn't well formed is refused before anything is done. */
export function createApi(env: Env, endpoints: readonly Endpoint[]): (c: HttpContext) => Promise<Response> {
  const find: Find = finder(endpoints);
  return async (c) => {
    const path = new URL(c.req.url).pathname.replace(/^\/api/, '');
    const endpoint = find(path);
    if (endpoint === null) return refuse('NOT_FOUND');
    if (!allows(endpoint, c.req.method))
      return refuse('METHOD_NOT_ALLOWED', { Allow: allowed(endpoint).join(', ') });
    if (isReading(c.req.method)) return endpoint.answer(c, undefined);
    if (endpoint.ownBody === true)
      return isOurOrigin(env, c.env.incoming.headers)
        ? endpoint.answer(c, undefined)
        : refuse('FORBIDDEN_ORIGIN');
    const body = await checkedBody(env, c, endpoint, path === BEACON_PATH);
    return body.ok ? endpoint.answer(c, body.value) : refuse(body.refusal);
  };
}

type Checked = BodyResult<unknown> | { ok: false; refusal: ErrorCode };

async function checkedBody(
  env: Env,
  c: HttpContext,
  { longBody }: Endpoint,
  beacon: boolean,
): Promise<Checked> {
  const { incoming } = c.env;
  if (!(beacon ? isOurBeacon : isOurOrigin)(env, incoming.headers))
    return { ok: false, refusal: 'FORBIDDEN_ORIGIN' };
  const form = bodyFormRefusal(c.req.method, incoming.headers, beacon);
  if (form !== null) return { ok: false, refusal: form };
  const long = longBody !== undefined && !isShort(incoming);
  const refusal = long ? await longBody(c) : null;
  if (refusal !== null) return { ok: false, refusal };
  const body = await readBody(incoming, long ? MAX_LONG_BODY : MAX_BODY);
  return body.ok ? parseJson(body.value) : body;
}

/** Most bodies are, and say so: then nobody has to be asked whether this one may be longer. */
const isShort = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? Infinity) <= MAX_BODY;

const isReading = (method: string) => method === 'GET' || method === 'HEAD';

function allows({ methods }: Endpoint, method: string): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));
}

function allowed({ methods }: Endpoint): string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : [...methods];
}
