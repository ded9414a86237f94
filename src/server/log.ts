import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
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
