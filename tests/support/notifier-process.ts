import { pino } from 'pino';
import { openDatabase } from '../../src/server/db/open.ts';
import { readEnv } from '../../src/server/env.ts';
import { startNotifier } from '../../src/server/features/notifications/notifier.ts';
import { SECRET } from './notifier.ts';

/** A notifier in a separate process, to be killed during its work. `AHEAD` moves its clock, in ms. */
const env = readEnv(process.env);
const { db, inTransaction } = await openDatabase(env);
const ahead = Number(process.env.AHEAD);
startNotifier({
  env,
  db,
  inTransaction,
  secret: SECRET,
  log: pino({ level: 'silent' }),
  now: () => new Date(Date.now() + ahead),
});
