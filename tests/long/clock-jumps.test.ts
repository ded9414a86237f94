import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening } from '../support/http-evening.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type PreparedServer, spawnPrepared } from '../support/prepared.ts';

const CLOCK = new URL('../support/moving-clock.ts', import.meta.url).href;
const DAY = 24 * 3_600_000;

let server: PreparedServer<Evening> | undefined;
afterEach(() => server?.stop());

/** Makes the system clock jump. Resolves when the process has noticed it. */
async function jump({ process: child, output }: PreparedServer<Evening>): Promise<void> {
  const before = output().length;
  child.kill('SIGUSR2');
  while (!output().slice(before).includes('the clock is')) await once(child.stderr ?? child, 'data');
}

const JUMPS: [string, number][] = [
  ['a day back', -DAY],
  ['two days ahead', 2 * DAY],
];

test.each(JUMPS)(
  'ends no visit and blocks no sign-in when the clock is set %s at any stage',
  { timeout: 90_000 },
  async (_name, ms) => {
    server = await spawnPrepared((before) => prepareEvening(before), {
      NODE_OPTIONS: `--import=${CLOCK}`,
      CLOCK_JUMPS: String(ms),
    });
    const { url, prepared } = server;
    const cookie = await enter(server, prepared);
    for (let step = 0; ; step += 1) {
      await jump(server);
      const beat = ok(await call(url, 'POST', '/visit/heartbeat', {}, { cookie }));
      expect(beat.body.state).toBe('open');
      const visit = ok(await call(url, 'POST', '/visit/resume', {}, { cookie })).body;
      expect(visit.position.step).toBe(step);
      const { stage, viaggio } = visit.stages[step];
      if (stage === 'closing') break;
      const answers = { viaggio, risposta_1: true, risposta_2: true };
      if (stage === 'questions') ok(await call(url, 'POST', '/visit/answers', answers, { cookie }));
      const next = { step: step + 1, phrase: 0, second: 0 };
      ok(await call(url, 'POST', '/visit/position', next, { cookie }));
    }
    const email = 'anna@example.org';
    const wrong = await call(url, 'POST', '/auth/sign-in/email', { email, password: 'una frase sbagliata' });
    expect(wrong.body.codice).toBe('BAD_CREDENTIALS');
    await jump(server);
    ok(await call(url, 'POST', '/auth/sign-in/email', { email, password: 'una frase molto lunga 7' }));
    ok(await call(url, 'POST', '/visit/complete', {}, { cookie }));
    await server.end('SIGTERM');
    const { db, close } = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: undefined });
    expect(await checkInvariants(db, new Date())).toEqual([]);
    expect(await db.selectFrom('checkbox_responses').select('viaggio').execute()).toHaveLength(2);
    await close();
  },
);
