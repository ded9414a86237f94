import { channel } from 'node:diagnostics_channel';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { ErrorCode } from '../contract/errors.ts';
import type { Env } from './env.ts';

/** Names whose values are never logged. */
const SECRET_NAMES = ['password', 'token', 'secret', 'cookie', 'authorization', 'code', 'codice'];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers["${name}"]`]);

/** Maximum bytes of log lines that wait to be written. */
const MAX_BUFFER_BYTES = 1024 ** 2;

/**
 * Creates the destination on standard output. If that is a file on a full disk, lines wait in memory and further ones are dropped. Writes
 * are synchronous: an asynchronous destination would retry its final flush forever.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_BUFFER_BYTES });
  output.on('error', () => undefined);
  return output;
}

/** Creates a logger that writes one JSON line per entry, so that client input can't break lines, without secrets. */
export function createLog({ LOG_LEVEL }: Pick<Env, 'LOG_LEVEL'>, destination = standardOutput()): Logger {
  const options = {
    level: LOG_LEVEL,
    base: null,
    redact: { paths: [...SECRET_PATHS, 'headers["set-cookie"]'], censor: '[…]' },
    serializers: { err: plainError },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return pino(options, destination);
}

/** Returns an error's type, message and stack, without the values of a failed statement. */
function plainError(error: Error): unknown {
  const { type, message, stack } = stdSerializers.err(error);
  const code = 'code' in error ? error.code : undefined;
  return { type, message, stack, ...(code === undefined ? {} : { errcode: code }) };
}

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
