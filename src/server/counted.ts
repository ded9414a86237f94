import { channel } from 'node:diagnostics_channel';
import type { ErrorCode } from '../contract/errors.ts';
import type { Env } from './env.ts';

/**
 * Events for metrics, published on Node's diagnostics channels; without a listener, publishing costs one property check. `features/metrics`
 * listens if metrics are enabled. Channels are per process: all listeners of a process are counted together.
 */
export const metricEvents = {
  /** A request was answered or its client has disconnected. */
  request: counter<{ method: string; route: string; status: number }>('request'),
  /** A response was a refusal. */
  refusal: counter<{ code: ErrorCode }>('refusal'),
  /** An entry was committed. `spent`: it consumed a use of the code. */
  entry: counter<{ spent: boolean }>('entry'),
  /** Bytes of a stored file that the system accepted for a client. */
  sent: counter<{ bytes: number }>('sent'),
};

/** Returns true if metrics are enabled. */
export const metricsEnabled = ({ METRICS_ADDRESS, METRICS_TOKEN }: Env) =>
  METRICS_ADDRESS !== undefined || METRICS_TOKEN !== undefined;

function counter<T extends object>(name: string) {
  const metricChannel = channel(`sorpresa:${name}`);
  return {
    emit(data: T): void {
      if (metricChannel.hasSubscribers) metricChannel.publish(data);
    },
    /** Returns a function that removes the listener. An error thrown by the listener ends the process: it must only count. */
    on(listener: (data: T) => void): () => void {
      const onMessage = (data: unknown) => listener(data as T);
      metricChannel.subscribe(onMessage);
      return () => {
        metricChannel.unsubscribe(onMessage);
      };
    },
  };
}
