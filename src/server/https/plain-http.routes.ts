import { Hono } from 'hono';
import { certificateTexts } from '../../texts/certificate.ts';
import type { Env } from '../env.ts';
import { redirectTo } from '../http/edge.ts';
import { errorResponse } from '../http/refusals.ts';
import type { HttpContext, HttpEnv } from '../http/request-context.ts';
import type { CertificateManager } from './keeper.ts';

/** Path of challenge responses (RFC 8555, section 8.3). */
const CHALLENGE_PATH = '/.well-known/acme-challenge/:token';
/** `Retry-After` while there is no certificate, in seconds; an order usually takes a few seconds. */
const RETRY_AFTER_S = '60';

/** Creates the HTTP app of the names: challenge responses, otherwise a redirect to HTTPS or 503 until there is a certificate. */
export function createPlainHttp(env: Env, certificates: CertificateManager): Hono<HttpEnv> {
  const { PUBLIC_URL = '' } = env;
  const plain = new Hono<HttpEnv>();
  plain.use(async (c, next) => (isNamed(env, c) ? next() : errorResponse('WRONG_HOST')));
  plain.get(CHALLENGE_PATH, (c) => {
    const answer = certificates.answerTo(c.req.param('token'));
    return answer === null
      ? errorResponse('NOT_FOUND')
      : c.body(answer, 200, { 'Cache-Control': 'no-store' });
  });
  plain.get('*', (c) => {
    if (certificates.isGood()) return redirectTo(PUBLIC_URL, c);
    return c.text(certificateTexts.notYet, 503, {
      'Retry-After': RETRY_AFTER_S,
      'Cache-Control': 'no-store',
    });
  });
  plain.all('*', () => errorResponse('METHOD_NOT_ALLOWED', { Allow: 'GET, HEAD' }));
  return plain;
}

/** Returns true if the request's host is one of the names. Ports are ignored, because they may be forwarded. */
function isNamed({ HTTPS_DOMAIN = [] }: Pick<Env, 'HTTPS_DOMAIN'>, c: HttpContext): boolean {
  return HTTPS_DOMAIN.includes(new URL(`http://${c.env.incoming.headers.host}`).hostname);
}
