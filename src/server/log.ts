import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { Env } from './env.ts';

/** Whatever somebody hands to the logger, what stands under these names is not written. */
const SECRET = ['password', 'token', 'secret', 'cookie', 'authorization', 'code', 'codice'];
const SECRET_PATHS = SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers["${name}"]`]);

/** Bytes of the log that wait for room where they are written. */
const WAITING = 1024 ** 2;

/**
 * The process's own output. It may be a file on a disk that is full: then lines wait, those for which there is no room are lost, and nothing
 * else happens. Written at once: what has to be flushed at the end would be tried for ever there.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: WAITING });
  output.on('error', () => undefined);
  return output;
}

/** Logs as JSON, one line each: what clients send can't break a line, and secrets are left out. */
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

/** An error's kind, words and stack; not the values of the statement that failed. */
function plainError(error: Error): unknown {
  const { type, message, stack } = stdSerializers.err(error);
  const code = 'code' in error ? error.code : undefined;
  return { type, message, stack, ...(code === undefined ? {} : { errcode: code }) };
}
