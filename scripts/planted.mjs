import { randomBytes } from 'node:crypto';

/** Returns fake secrets for the environment of a build; none may appear in the built web. */
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
