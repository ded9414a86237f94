import type { Logger } from 'pino';
import { startTexts } from '../texts/commands.ts';
import { setUpCompileCache } from './data-dir.ts';
import { readEnv } from './env.ts';
import { createLog } from './log.ts';
import type { Product } from './start.ts';

/** Prints an operator's mistake as one sentence without a stack, and exits. */
function exitWithMessage(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/**
 * A second SIGTERM within this time, in ms, counts as the first: the service manager signals this process and its parent, which forwards
 * the signal.
 */
const REPEAT_MS = 1_000;

/** Starts the drain at SIGTERM, so that a load balancer can switch first. Stops at once at a second SIGTERM or at Ctrl+C. */
function stopOnSignal(product: Product, log: Logger): void {
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping');
    product.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  // Arrives twice: Ctrl+C reaches this process and its parent, which forwards it.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  let first: number | null = null;
  process.on('SIGTERM', (signal) => {
    if (first !== null && performance.now() - first > REPEAT_MS) stop(signal);
    if (first !== null) return;
    first = performance.now();
    const seconds = env.DRAIN_SECONDS;
    log.info({ signal, seconds }, 'draining');
    product.deps.drain.begun = true;
    setTimeout(() => stop(signal), seconds * 1_000);
  });
}

/** Only the person who started the server may register, so the code is printed (`auth/secrets.ts`). */
async function printSetupCode({ deps: { auth } }: Product): Promise<void> {
  const code = auth.setupCode(null);
  if (env.SETUP_CODE === undefined && code !== null && (await auth.registrationOpen()))
    console.log(startTexts.setupCode(code));
}

process.umask(0o077);
const env = await Promise.resolve(process.env).then(readEnv).catch(exitWithMessage);
const log = createLog(env);
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception');
  process.exit(1);
});
setUpCompileCache(env.DATA_DIR);
const { startProduct } = await import('./start.ts');
export const product = await startProduct({ env, log, report: (sentence) => console.log(sentence) }).catch(
  exitWithMessage,
);
stopOnSignal(product, log);
const address = env.PUBLIC_URL ?? product.url;
console.log(`Indirizzo: ${address}`);
console.log(`${startTexts.prepare}: ${address}/admin`);
if (env.HTTPS_DOMAIN !== undefined) console.log(startTexts.fromHere(`${product.url}/admin`));
await printSetupCode(product).catch((error: unknown) => log.warn({ err: error }, 'no setup code was said'));
