import type { IncomingMessage } from 'node:http';
import type { Env } from '../env.ts';
import type { IsTrustedProxy } from './address.ts';

/**
 * Where the proxy that asks finds a file by itself (nginx's `X-Accel-Redirect`), or null: without the setting, and where who asks is no
 * proxy of ours, the bytes come from here.
 */
export function accelRedirectPath(
  { X_ACCEL_REDIRECT }: Pick<Env, 'X_ACCEL_REDIRECT'>,
  trusts: IsTrustedProxy,
  { socket }: Pick<IncomingMessage, 'socket'>,
  key: string,
): string | null {
  if (X_ACCEL_REDIRECT === undefined || !trusts(socket.remoteAddress ?? '')) return null;
  return `${X_ACCEL_REDIRECT}${key}`;
}
