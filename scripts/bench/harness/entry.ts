import { randomInt, randomUUID } from 'node:crypto';
import type { LoadRequest } from './load.ts';
import type { ServerUnderTest } from './servers.ts';

const byte = () => randomInt(256);

/** Creates the requests for entries. */
export const entryAt =
  ({ evening }: ServerUnderTest, code = 0) =>
  (): LoadRequest => {
    const body = {
      token: evening?.codes[code]?.token ?? '',
      attempt_id: randomUUID(),
      device_id: randomUUID(),
    };
    // Each from another network, because codes of one network are checked in sequence (decision 016).
    const headers = { 'x-forwarded-for': `10.${byte()}.${byte()}.${byte()}` };
    return { method: 'POST', headers, path: evening === null ? '/enter' : '/api/access', body };
  };
