import { randomBytes } from 'node:crypto';

/** What a machine that builds the web may have in its environment, made up: none of it may be found in what was built. */
export function plantedSecrets() {
  const secret = () => randomBytes(12).toString('hex');
  return {
    SETUP_CODE: secret(),
    DATABASE_URL: `postgres://anna:${secret()}@127.0.0.1/sorpresa`,
    VITE_SECRET: secret(),
    SECRET: secret(),
    TELEGRAM_BOT_TOKEN: `123456789:${secret()}`,
  };
}
