import type { CallResult as ChartOutcome } from '../../../experience/ports.ts';
import type { RequestResult } from '../../api/request.ts';
import { heartbeat } from '../../api/visit.ts';

/**
 * An answer of the server in the chart's words. A proxy's page and no answer at all are the same to it: try again.
 * A disconnection is completed with whom to turn to.
 */
export async function toChart<T>(call: Promise<RequestResult<T>>): Promise<ChartOutcome<T>> {
  const outcome = await call;
  if (outcome.ok) return { ok: true, value: outcome.value };
  const { codice } = outcome.failure;
  if (codice === 'UNREADABLE') return { ok: false, code: 'NETWORK' };
  if (codice !== 'DISCONNECTED') return { ok: false, code: codice };
  const verdict = await heartbeat();
  return { ok: false, code: 'DISCONNECTED', disconnection: verdict.ok ? verdict.value.disconnection : null };
}
