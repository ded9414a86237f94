import { randomUUID } from 'node:crypto';
import { createClient } from './client.ts';

/**
 * A guesser in a process of its own: `URL`'s codes are guessed over so many connections at once, all from one network, until it is killed.
 * At the end (SIGTERM) it writes how often each status was answered, as JSON.
 */
const { TARGET = '', CONNECTIONS = '50', FROM = '203.0.113.1' } = process.env;
const client = createClient(Number(CONNECTIONS));
const answered: Record<string, number> = {};
let ending = false;
process.on('SIGTERM', () => {
  ending = true;
});

async function guess(): Promise<void> {
  const body = { token: `ROM-${Math.random()}`, attempt_id: randomUUID(), device_id: 'device-1-x' };
  const status = await client.post(TARGET, '/access', body, { from: FROM }).then(
    (reply) => String(reply.status),
    () => 'lost',
  );
  answered[status] = (answered[status] ?? 0) + 1;
}

await Promise.all(
  Array.from({ length: Number(CONNECTIONS) }, async () => {
    while (!ending) await guess();
  }),
);
client.close();
process.stdout.write(JSON.stringify(answered));
