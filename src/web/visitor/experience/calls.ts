import type { CallResult as ChartOutcome } from '../../../experience/ports.ts';
import type { RequestResult } from '../../api/request.ts';
import { heartbeat } from '../../api/visit.ts';

/**
 * Converts a call's result for the chart. A proxy's page counts as no network: both lead to a retry. Adds the contact to a disconnection.
 */
export async function toChart<T>(call: Promise<RequestResult<T>>): Promise<ChartOutcome<T>> {
  const result = await call;
  if (result.ok) return { ok: true, value: result.value };
  const { codice } = result.failure;
  if (codice === 'UNREADABLE') return { ok: false, code: 'NETWORK' };
  if (codice !== 'DISCONNECTED') return { ok: false, code: codice };
  const verdict = await heartbeat();
  return { ok: false, code: 'DISCONNECTED', disconnection: verdict.ok ? verdict.value.disconnection : null };
}
