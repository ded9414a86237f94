import type { SecurityEvent } from '../../contract/admin/logs.ts';
import { FAILED_SIGN_IN_LOG } from '../../domain/limits.ts';
import { errorSentences } from '../../texts/errors.ts';
import { insertEvents, keepLatestEvents, type NewEvent } from '../event-log/events.repo.ts';
import { isWrongCredential } from '../limits/attempts.ts';
import { isRefused } from '../refused.ts';
import type { AuthDeps, AuthPath, AuthResult } from './better-auth.ts';

const EVENT_BY_PATH: Partial<Record<AuthPath, SecurityEvent>> = {
  '/sign-in/email': 'admin_signed_in',
  '/sign-up/email': 'admin_signed_in',
  '/change-password': 'admin_password_changed',
  '/change-email': 'admin_email_changed',
  '/revoke-other-sessions': 'admin_sessions_ended',
};

type AuthCall = { path: AuthPath; result: AuthResult; request: Request };

/**
 * Logs an event of the administrator's access. Typed input isn't stored: it may be a password in the wrong field. The event has already
 * happened, so a failed write is only logged.
 */
export async function logSecurityEvent(deps: AuthDeps, call: AuthCall): Promise<void> {
  const event = toSecurityEvent(call);
  if (event === null) return;
  const user_agent = (call.request.headers.get('user-agent') ?? '').slice(
    0,
    FAILED_SIGN_IN_LOG.userAgentChars,
  );
  try {
    await deps.inTransaction(async (tx) => {
      await insertEvents(tx, [{ ...event, user_agent }], deps.now());
      // Failed attempts must not fill the disk.
      if (!event.success) await keepLatestEvents(tx, event.event_type, FAILED_SIGN_IN_LOG.rows);
    });
  } catch (error) {
    deps.log.error({ err: error }, 'a security event could not be written');
  }
}

function toSecurityEvent({ path, result }: AuthCall): Omit<NewEvent, 'user_agent'> | null {
  if (!isRefused(result)) {
    const done = EVENT_BY_PATH[path];
    const more = path === '/sign-up/email' ? { registered: true } : {};
    return done === undefined ? null : securityEvent(done, more);
  }
  if (!isWrongCredential(result)) return null;
  const failed = securityEvent('admin_sign_in_failed', { path });
  return { ...failed, success: false, error_message: errorSentences[result.refused] };
}

/** Returns a security event, which has no code and no visitor's device. */
export function securityEvent(event_type: SecurityEvent, metadata: NewEvent['metadata']) {
  return { event_type, token_id: null, token_value: null, device_id: null, success: true, metadata };
}
