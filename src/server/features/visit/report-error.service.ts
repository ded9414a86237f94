import { reportedErrors } from '../../../texts/experience.ts';
import type { Deps } from '../../deps.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { countReportedError } from './sessions.repo.ts';
import type { VisitHolder } from './visitor-session.ts';

/** Reported errors per session; further ones are dropped. */
const MAX_REPORTED = 5;

/** Notifies the administrator of an error that the visitor saw (spec 7), unless the visit is over. */
export async function reportError(
  deps: Pick<Deps, 'inTransaction' | 'now'>,
  { row, state }: VisitHolder,
  kind: keyof typeof reportedErrors,
): Promise<void> {
  if (state === 'ended' || state === 'disconnected') return;
  await deps.inTransaction(async (tx) => {
    if (!(await countReportedError(tx, row.id, MAX_REPORTED))) return;
    await enqueueNotification(
      tx,
      { type: 'access', success: false, error_message: reportedErrors[kind] },
      deps.now(),
    );
  });
}
