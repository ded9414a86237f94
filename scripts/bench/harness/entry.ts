import { randomInt, randomUUID } from 'node:crypto';
import type { LoadRequest } from './load.ts';
import type { ServerUnderTest } from './servers.ts';

const byte = () => randomInt(256);

/** How an entry is asked for. */
export const entryAt =
  ({ evening }: ServerUnderTest, code = 0) =>
  (): LoadRequest => {
    const body = {
      token: evening?.codes[code]?.token ?? '',
      attempt_id: randomUUID(),
      device_id: randomUUID(),
    };
    // Everybody from somewhere else: of one network one code is looked at after the other (decision 16).
    const headers = { 'x-forwarded-for': `10.${byte()}.${byte()}.${byte()}` };
    return { method: 'POST', headers, path: evening === null ? '/enter' : '/api/access', body };
  };
