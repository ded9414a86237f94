import type { ErrorCode } from '../../contract/errors.ts';
import { type Refusal, refuse } from '../refused.ts';
import type { AuthPath } from './requests.ts';

/** Result of a sign-in call: its cookies and JSON, or a refusal. */
export type AuthResult = { cookies: string[]; body: unknown } | Refusal;

const CODES: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'BAD_CREDENTIALS',
  INVALID_EMAIL: 'BAD_CREDENTIALS',
  INVALID_PASSWORD: 'BAD_CREDENTIALS',
  PASSWORD_TOO_SHORT: 'WEAK_PASSWORD',
  PASSWORD_TOO_LONG: 'LONG_PASSWORD',
  REGISTRATION_CLOSED: 'REGISTRATION_CLOSED',
  USER_ALREADY_EXISTS: 'REGISTRATION_FAILED',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'REGISTRATION_FAILED',
  FAILED_TO_CREATE_USER: 'REGISTRATION_FAILED',
  INVALID_ORIGIN: 'FORBIDDEN_ORIGIN',
  MISSING_OR_NULL_ORIGIN: 'FORBIDDEN_ORIGIN',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'FORBIDDEN_ORIGIN',
  UNAUTHORIZED: 'SIGN_IN_REQUIRED',
};

/** Converts better-auth's response; error bodies are replaced by known refusals. Throws if the cause isn't the client's request. */
export async function toAuthResult(response: Response, path: AuthPath): Promise<AuthResult> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return { cookies: response.headers.getSetCookie(), body };
  const code = errorCodeIn(body);
  if (response.status === 401 && !(code in CODES)) return refuse('SIGN_IN_REQUIRED');
  const codice = CODES[code];
  if (codice) return refuse(codice);
  if (response.status < 500) return refuse('BAD_INPUT');
  throw new Error(`Sign-in failed at ${path} with ${response.status} ${code}`);
}

function errorCodeIn(body: unknown): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
}
