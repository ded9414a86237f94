import type { IncomingMessage } from 'node:http';
import type { Env } from '../env.ts';
import type { IsTrustedProxy } from './address.ts';

/**
 * Returns the path at which the proxy finds a file (nginx's `X-Accel-Redirect`). Returns null without the setting or for an untrusted peer:
 * this server then sends the bytes.
 */
export function accelRedirectPath(
  { X_ACCEL_REDIRECT }: Pick<Env, 'X_ACCEL_REDIRECT'>,
  isTrustedProxy: IsTrustedProxy,
  { socket }: Pick<IncomingMessage, 'socket'>,
  key: string,
): string | null {
  if (X_ACCEL_REDIRECT === undefined || !isTrustedProxy(socket.remoteAddress ?? '')) return null;
  return `${X_ACCEL_REDIRECT}${key}`;
}
