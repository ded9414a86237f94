import { channel } from 'node:diagnostics_channel';
import type { ErrorCode } from '../contract/errors.ts';
import type { Env } from './env.ts';

/**
 * What is counted, told where it happens, on channels of Node's own: while nobody listens saying it is one look at a field. `features/metrics`
 * listens where metrics are asked for. They are the process's, as its memory is: two doors of one product are counted together.
 */
export const metricEvents = {
  /** A request was answered, or its client has gone. */
  request: counter<{ method: string; route: string; status: number }>('request'),
  /** An answer was a refusal. */
  refusal: counter<{ code: ErrorCode }>('refusal'),
  /** Somebody was let in, and it is stored: `spent` where a use of the code was. */
  entry: counter<{ spent: boolean }>('entry'),
  /** The system has taken so many bytes of a stored file for a client. */
  sent: counter<{ bytes: number }>('sent'),
};

/** Is there anybody who may ask? */
export const metricsEnabled = ({ METRICS_ADDRESS, METRICS_TOKEN }: Env) =>
  METRICS_ADDRESS !== undefined || METRICS_TOKEN !== undefined;

function counter<T extends object>(name: string) {
  const told = channel(`sorpresa:${name}`);
  return {
    emit(what: T): void {
      if (told.hasSubscribers) told.publish(what);
    },
    /** Returns what ends it. What the listener throws ends the process: it only counts. */
    on(listener: (what: T) => void): () => void {
      const hear = (what: unknown) => listener(what as T);
      told.subscribe(hear);
      return () => {
        told.unsubscribe(hear);
      };
    },
  };
}
