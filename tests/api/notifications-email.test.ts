import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueueNotification, withdraw } from '../../src/server/features/notifications/notifications.repo.ts';
import {
  deliverNext,
  resumeNotifications,
  sendTestMessage,
} from '../../src/server/features/notifications/notifications.service.ts';
import { startNotifier } from '../../src/server/features/notifications/notifier.ts';
import { sqliteDatabase } from '../support/databases.ts';
import {
  configureMail,
  MAIL_PASSWORD,
  type MailServer,
  mailboxAt,
  mailServer,
} from '../support/mail-server.ts';
import { answers, configureBot, entered, nodeOn, refused, workTogether } from '../support/notifier.ts';
import { useNotifier } from '../support/suites.ts';
import { useTrusted } from '../support/trusted.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const pem = useTrusted();
const on = useNotifier(sqliteDatabase);
let mail: MailServer;
beforeEach(async () => {
  mail = await mailServer('starttls', pem);
  await configureBot(on.database, null);
  await configureMail(on.database, mailboxAt(mail));
});
afterEach(() => mail.close());

const codes = () => mail.letters.map((letter) => /ROM\w+/.exec(letter)?.[0]);
const ids = () => mail.letters.map((letter) => /^Message-ID: (.*)$/m.exec(letter)?.[1]);
const work = (ms: number, pause = SECOND) => on.node.work(ms, pause, 'email');
const rows = () =>
  on.database.db.selectFrom('notifications').selectAll().orderBy('created_at').orderBy('id').execute();
const waiting = async () => (await rows()).filter(({ sent_at }) => sent_at === null);
const both = async () => {
  await configureBot(on.database);
  await configureMail(on.database, mailboxAt(mail));
};

test('leaves once, in order, answers first and failures together', async () => {
  for (let i = 0; i < 6; i += 1) {
    await on.node.enqueue(entered(`ROMENTRY${i}`));
    on.node.pass(1);
  }
  await on.node.enqueue(refused('ROMTRY'), refused('ROMTRY'), answers('ROMANSWER'));
  await work(2 * MINUTE);
  const entries = [0, 1, 2, 3, 4, 5].map((i) => `ROMENTRY${i}`);
  expect(codes()).toEqual(['ROMANSWER', ...entries, 'ROMTRY']);
  expect(new Set(ids()).size).toBe(8);
  expect(await waiting()).toEqual([]);
  expect(on.telegram.requests).toBe(0);
});

test('waits in order where it is refused for now or for good, is told, and leaves when it may', async () => {
  const failures = async () => (await waiting()).map(({ last_error }) => last_error);
  mail.fail({ at: 'rcpt', code: 450, text: '4.2.0 Greylisted' });
  await on.node.enqueue(entered('ROMONE'));
  on.node.pass(1);
  await on.node.enqueue(entered('ROMTWO'));
  await work(MINUTE);
  expect(await failures()).toEqual(['450 4.2.0 Greylisted', null]);
  mail.fail({ at: 'none' });
  await work(10 * MINUTE, 5 * SECOND);
  expect(codes()).toEqual(['ROMONE', 'ROMTWO']);
  expect(mail.letters.join('')).not.toContain('Forse');
  mail.fail({ at: 'rcpt', code: 550, text: '5.1.1 No such user' });
  await on.node.enqueue(entered('ROMTHREE'), answers('ROMANSWER'));
  await work(MINUTE);
  expect(await failures()).toEqual(Array(2).fill('550 5.1.1 No such user'));
  mail.fail({ at: 'none' });
  await resumeNotifications(on.node.deps, 'email');
  await work(MINUTE);
  expect(codes().slice(2)).toEqual(['ROMANSWER', 'ROMTHREE']);
});

test('a server that never greets holds nobody up but its own; what may have arrived says so, with the same id', async () => {
  await both();
  const hasty = nodeOn(on.database, on.telegram, { patience: 500 });
  mail.fail({ at: 'connect', hangs: true });
  await hasty.enqueue(answers('ROMANSWER'));
  expect(await deliverNext(hasty.deps, 'email')).toBe(0);
  expect(await deliverNext(on.node.deps, 'telegram')).toBe(0);
  expect(on.telegram.messages).toHaveLength(1);
  mail.fail({ at: 'data', lost: true });
  on.node.pass(MINUTE);
  await deliverNext(on.node.deps, 'email');
  mail.fail({ at: 'none' });
  on.node.pass(MINUTE);
  await deliverNext(on.node.deps, 'email');
  expect(codes()).toEqual(['ROMANSWER', 'ROMANSWER']);
  expect(new Set(ids()).size).toBe(1);
  const [first = '', second = ''] = mail.letters;
  expect(first).not.toContain('Forse');
  expect(second).toMatch(/Forse l/);
  expect(await waiting()).toEqual([]);
});

test('both channels tell everything once; one that is down keeps nothing from the other', async () => {
  await both();
  await mail.close();
  await on.node.enqueue(entered('ROMONE'), answers('ROMTWO'));
  await work(MINUTE, 5 * SECOND);
  await on.node.work(MINUTE, SECOND, 'telegram');
  expect(on.telegram.messages).toHaveLength(2);
  expect((await waiting()).map(({ channel }) => channel)).toEqual(['email', 'email']);
  mail = await mailServer('starttls', pem);
  await configureMail(on.database, mailboxAt(mail));
  await resumeNotifications(on.node.deps, 'email');
  on.telegram.fail({ kind: 'status', status: 500, description: 'Down' });
  await on.node.enqueue(entered('ROMTHREE'));
  await work(MINUTE);
  await on.node.work(MINUTE, SECOND, 'telegram');
  expect(codes().toSorted()).toEqual(['ROMONE', 'ROMTHREE', 'ROMTWO']);
  expect((await waiting()).map(({ channel }) => channel)).toEqual(['telegram']);
});

test('several nodes and both channels: each message leaves once by each', async () => {
  await both();
  const nodes = [on.node, nodeOn(on.database, on.telegram)];
  for (let i = 0; i < 5; i += 1) await on.node.enqueue(entered(`ROMENTRY${i}`));
  await Promise.all([
    workTogether(nodes, 10 * SECOND, 'telegram'),
    workTogether(nodes, 10 * SECOND, 'email'),
  ]);
  expect(new Set(codes()).size).toBe(5);
  expect(mail.letters).toHaveLength(5);
  expect(on.telegram.messages).toHaveLength(5);
});

test('what came before anything was set up goes the way that is set up first, once', async () => {
  await configureMail(on.database, { ...mailboxAt(mail), to: null as never });
  await on.node.enqueue(answers('ROMBEFORE'));
  await work(MINUTE, 10 * SECOND);
  expect(mail.letters).toEqual([]);
  await configureMail(on.database, mailboxAt(mail));
  await work(MINUTE, 10 * SECOND);
  expect(codes()).toEqual(['ROMBEFORE']);
  await both();
  await on.node.work(MINUTE, 10 * SECOND, 'telegram');
  expect(on.telegram.requests).toBe(0);
});

test('what waits for a Telegram that is taken away goes by e-mail, if it hasn’t gone already', async () => {
  await configureBot(on.database);
  await configureMail(on.database, { ...mailboxAt(mail), host: null as never });
  on.telegram.fail({ kind: 'status', status: 401, description: 'Unauthorized' });
  await on.node.enqueue(answers('ROMTELEGRAM'));
  await on.node.work(MINUTE, 10 * SECOND, 'telegram');
  await both();
  await on.node.enqueue(answers('ROMBOTH'));
  await configureBot(on.database, null);
  await work(MINUTE);
  expect(codes().toSorted()).toEqual(['ROMBOTH', 'ROMTELEGRAM']);
  expect((await waiting()).map(({ channel }) => channel)).toEqual(['telegram']);
});

test('is withdrawn from both channels', async () => {
  await both();
  const session_id = randomUUID();
  const stopped = { type: 'visit_stopped', token_value: 'ROMA', exit_point: null } as const;
  await on.database.inTransaction(async (tx) => {
    await enqueueNotification(tx, stopped, on.node.deps.now(), { session_id, after: MINUTE });
    await withdraw(tx, session_id, 'visit_stopped');
  });
  expect(await rows()).toEqual([]);
});

test('a stop gives up the one under way; the next start sends it', async () => {
  mail.fail({ at: 'data', hangs: true });
  await on.node.enqueue(answers('ROMANSWER'));
  const notifier = startNotifier(on.node.deps);
  await expect.poll(() => mail.signedIn.length).toBe(1);
  await notifier.stop();
  expect(await waiting()).toMatchObject([{ claim: null, channel: 'email' }]);
  mail.fail({ at: 'none' });
  on.node.pass(MINUTE);
  const next = startNotifier(on.node.deps);
  await expect.poll(() => mail.letters.length).toBe(1);
  await next.stop();
  expect(await waiting()).toEqual([]);
});

test('a node that dies with one under way: another sends it after the lease, and says so; the rest wait behind it', async () => {
  mail.fail({ at: 'data', hangs: true });
  await on.node.enqueue(answers('ROMANSWER'), entered('ROMENTRY'));
  const [dying, other] = [new AbortController(), nodeOn(on.database, on.telegram)];
  const stuck = deliverNext(on.node.deps, 'email', dying.signal);
  // All of it has come, and no answer goes.
  await expect.poll(() => mail.hanging).toBe(1);
  mail.fail({ at: 'none' });
  await other.work(59 * SECOND, SECOND, 'email');
  expect(mail.letters).toEqual([]);
  await other.work(10 * SECOND, SECOND, 'email');
  expect(codes()).toEqual(['ROMANSWER', 'ROMENTRY']);
  expect(mail.letters.map((letter) => letter.includes('Forse l'))).toEqual([true, false]);
  dying.abort();
  await stuck;
  await other.work(2 * MINUTE, 10 * SECOND, 'email');
  expect(mail.letters).toHaveLength(2);
  expect(await waiting()).toEqual([]);
});

test('the password is in no log, error or row', async () => {
  expect(await sendTestMessage(on.node.deps, 'email')).toMatchObject({ sent: true });
  const wrong = 'sbagliatissima-99';
  await configureMail(on.database, { ...mailboxAt(mail), password: wrong });
  await on.node.enqueue(answers('ROMANSWER'));
  await work(MINUTE);
  const told = await sendTestMessage(on.node.deps, 'email');
  expect(told).toEqual({ sent: false, answer: '535 5.7.8 No …' });
  const config = await on.database.db.selectFrom('admin_config').selectAll().execute();
  const everything = JSON.stringify([on.node.logged(), await rows(), config, told]);
  expect(on.node.logged()).toContain('message not sent');
  for (const secret of [wrong, MAIL_PASSWORD]) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret).toString('base64'));
  }
});
