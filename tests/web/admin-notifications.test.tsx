import { expect, test } from 'vitest';
import { chatTexts } from '../../src/texts/admin/chats.ts';
import { meaningOf } from '../../src/texts/admin/notification-meanings.ts';
import { notificationsTexts } from '../../src/texts/admin/notifications.ts';
import {
  config,
  type Outputs,
  refused,
  sentence,
  storingServer,
  unreadable,
} from '../support/admin-answers.ts';
import { choose, expectConfirmation, press, submit, write } from '../support/admin-hand.ts';
import { alerts, control, dialog, field, pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const SETTINGS = '/admin/notifiche';
const TOKEN = `123456789:${'a'.repeat(35)}`;
const LATER = '2026-06-10T19:00:00.000Z';

test.each([
  {
    texts: notificationsTexts.token,
    name: 'telegram_bot_token',
    secret: TOKEN,
    wrong: '123:kurz',
    none: { telegram_bot_token_masked: null },
    other: { telegram_bot_token_masked: '••••ZZZZ' },
    shown: '••••1234',
  },
  {
    texts: notificationsTexts.password,
    name: 'smtp_password',
    secret: 'canarino+42',
    wrong: 'x'.repeat(201),
    none: { smtp_password_kept: false, telegram_bot_token_masked: null },
    other: { smtp_password_kept: true },
    shown: '••••••••',
  },
])(
  'saves the secret «$texts.label», and never reads it back',
  async ({ texts, name, secret, wrong, none, other, shown }) => {
    const server = await openStoringPage(SETTINGS, none);
    expect(control(texts.save).hasAttribute('disabled')).toBe(true);
    write(texts.label, wrong);
    await press(texts.save);
    expect([sent('config.save'), pageText()]).toEqual([[], expect.stringContaining(texts.invalid)]);
    write(texts.label, ` ${secret} `);
    await press(texts.save);
    expect(sent('config.save')).toEqual([{ versione: 7, fields: { [name]: secret } }]);
    expect(takeNotices()).toEqual([texts.saved]);
    expect(JSON.stringify({ ...sessionStorage, ...localStorage }) + pageText()).not.toContain(secret);

    // After a change in another window nothing is overwritten.
    write(texts.label, secret);
    server.elsewhere('config', other);
    await press(texts.save);
    expect([sent('config.save').length, takeNotices()]).toEqual([2, [`✗ ${texts.changedElsewhere}`]]);

    const storedServer = storingServer({ telegram_bot_token_masked: '••••1234', smtp_password_kept: true });
    await openPage(SETTINGS, storedServer.answers);
    expect(pageText()).toContain(shown);
    const place = name === 'smtp_password' ? section(notificationsTexts.mail.title) : document.body;
    await press(texts.replace, place);
    expect(document.activeElement).toBe(field(texts.label));
    write(texts.label, secret);
    await press(texts.keep);
    expect([sent('config.save'), document.activeElement?.textContent]).toEqual([[], texts.replace]);
    await press(notificationsTexts.remove, place);
    expect(dialog().textContent).toContain(texts.removeQuestion + texts.removeDetail);
    await press(notificationsTexts.remove, dialog());
    expect(sent('config.save')).toEqual([{ versione: 7, fields: { [name]: null } }]);
    expect(takeNotices()).toEqual([texts.removed]);
  },
);

test('offers the chats that contacted the bot, and saves the chosen one', async () => {
  const giulia = { id: '42', tipo: 'private', nome: 'Giulia', utente: 'giulia' } as const;
  const server = storingServer({ telegram_chat_id: null });
  const { chat: texts } = notificationsTexts;
  await openPage(SETTINGS, server.answers);
  expect(pageText()).toContain(chatTexts.waiting);
  expect(sent('notifications.chats').length).toBe(1);
  expect(control(chatTexts.open('sorpresa_bot')).getAttribute('href')).toBe(
    'https://t.me/sorpresa_bot?start',
  );
  // The chats are polled; found ones are offered but not saved.
  const noi = { id: '-7', tipo: 'group', nome: 'Noi', utente: null } as const;
  answerWith({ 'notifications.chats': { bot: 'sorpresa_bot', chat: [giulia, noi], problema: null } });
  await pass(2_000);
  expect([...document.querySelectorAll('[role="status"] li')].map(({ textContent }) => textContent)).toEqual([
    `${chatTexts.found} Giulia (@giulia) ${chatTexts.kinds.private}${chatTexts.use}`,
    `${chatTexts.found} Noi ${chatTexts.kinds.group}${chatTexts.use}`,
  ]);
  expect([field(texts.label).value, sent('config.save')]).toEqual(['', []]);
  await press(chatTexts.takeFrom('Giulia'));
  expect([server.config.telegram_chat_id, takeNotices()]).toEqual(['42', [notificationsTexts.saved]]);
  const requestCount = sent('notifications.chats').length;
  await press(chatTexts.selectedChat('Giulia'));
  await pass(10_000);
  expect([sent('notifications.chats').length, sent('config.save').length]).toEqual([requestCount, 1]);

  // With a saved chat, the search starts only on request, and shows what prevents it.
  await openPage(SETTINGS);
  expect(sent('notifications.chats')).toEqual([]);
  for (const problema of ['WEBHOOK_SET', 'TOKEN_REFUSED', 'READ_ELSEWHERE'] as const) {
    answerWith({ 'notifications.chats': { bot: null, chat: [], problema } });
    await press(problema === 'WEBHOOK_SET' ? chatTexts.find : chatTexts.again);
    expect(alerts()).toContain(chatTexts.problems[problema]);
  }
  answerWith({ 'notifications.chats': refused('NOT_CONFIGURED') });
  await press(chatTexts.again);
  expect(alerts()).toContain(sentence('NOT_CONFIGURED'));
  answerWith({ 'notifications.chats': { bot: null, chat: [], problema: null } });
  await press(chatTexts.again);
  await pass(95 * 2_000);
  expect(sent('notifications.chats').length).toEqual(4 + 90);
  expect(pageText()).toContain(chatTexts.none);
});

test('validates the mail server’s settings before saving them', async () => {
  const server = await openStoringPage(SETTINGS);
  const { mail, chat } = notificationsTexts;
  for (const [label, value, why] of [
    [mail.host.label, 'https://smtp.esempio.it', mail.host.invalid],
    [mail.port.label, '65536', mail.port.invalid],
    [mail.port.label, '0', mail.port.invalid],
    [mail.user.label, 'x'.repeat(201), mail.user.invalid],
    [mail.from.label, 'lui', mail.from.invalid],
    [mail.to.label, 'lui', mail.to.invalid],
    [chat.label, 'Giulia', chat.invalid],
  ] as const) {
    const before = field(label).value;
    write(label, value);
    await submit(label);
    expect([takeNotices(), sent('config.save')]).toEqual([[`✗ ${why}`], []]);
    write(label, before);
  }
  write(mail.host.label, 'smtp.esempio.it');
  await choose(mail.security.label, 'none');
  expect(pageText()).toContain(mail.security.warning);
  write(mail.host.label, '127.0.0.1');
  await pass(0);
  expect(pageText()).not.toContain(mail.security.warning);
  write(mail.port.label, '65535');
  await submit(mail.host.label);
  expect(server.config).toMatchObject({
    smtp_host: '127.0.0.1',
    smtp_security: 'none',
    smtp_port: 65_535,
    smtp_user: null,
  });
});

test('sends a test message, and shows the service’s answer and its meaning', async () => {
  const { test: texts } = notificationsTexts;
  const mail = { smtp_host: 'smtp.esempio.it', email_from: 'a@esempio.it', email_to: 'b@esempio.it' };
  await openPage(SETTINGS, { 'config.read': config({ telegram_chat_id: null }) });
  for (const channel of ['telegram', 'email'] as const) {
    expect(control(texts[channel].send).hasAttribute('disabled')).toBe(true);
    expect(pageText()).toContain(texts[channel].notReady);
  }
  await openPage(SETTINGS, { 'config.read': config(mail) });
  for (const [channel, canale, sentAnswer] of [
    ['telegram', { canale: 'telegram' }, '403 Forbidden: bot was blocked'],
    ['email', { canale: 'email' }, '550 5.1.1 No such user'],
  ] as const) {
    answerWith({ 'notifications.test': { sent: true, answer: '200 ok' } });
    await press(texts[channel].send);
    expect(sent('notifications.test').at(-1)).toEqual(canale);
    expect(alerts().at(-1)).toBe(`${texts[channel].good}${texts[channel].answer}200 ok`);
    answerWith({ 'notifications.test': { sent: false, answer: sentAnswer } });
    await press(texts[channel].send);
    const meaning = meaningOf(channel, sentAnswer) ?? expect.unreachable();
    expect(alerts().at(channel === 'email' ? -1 : 0)).toBe(
      texts[channel].bad + texts[channel].answer + sentAnswer + meaning,
    );
  }
  answerWith({ 'notifications.test': unreadable });
  await press(texts.email.send);
  expect(takeNotices()).toEqual([`✗ ${texts.failed}`]);
});

test('shows queued messages with the last error, and discards them after a confirmation', async () => {
  const { queue: texts } = notificationsTexts;
  const error = { messaggio: '429 Too Many Requests', prossimo_tentativo: LATER };
  const quiet = { in_attesa: 0, ultimo_errore: null, ultimo_invio: null };
  const status = (changes: object): Outputs['notifications.status'] => ({
    telegram: { ...quiet, ...changes },
    email: quiet,
  });
  await openPage(SETTINGS);
  expect(section(texts.title).textContent).toBe(texts.title + texts.refresh + texts.none + texts.neverSent);
  answerWith({ 'notifications.status': status({ in_attesa: 2, ultimo_errore: error }) });
  await press(texts.refresh, section(texts.title));
  const shown = () => section(texts.title).textContent;
  for (const part of [
    texts.waiting(2),
    texts.lastError,
    error.messaggio,
    meaningOf('telegram', error.messaggio),
    `${texts.nextTry}: 10 giugno 2026`,
  ])
    expect(shown()).toContain(part);
  expect(shown()).not.toContain(texts.held.telegram);
  // The status is polled while messages are queued.
  answerWith({
    'notifications.status': { ...status({ in_attesa: 1 }), email: { ...quiet, ultimo_invio: LATER } },
  });
  await pass(5_000);
  for (const part of [texts.channels.email, texts.waiting(1), `${texts.lastSent}: 10 giugno 2026`])
    expect(shown()).toContain(part);
  const question = texts.takeBackQuestion + texts.takeBackDetail;
  await expectConfirmation(texts.takeBack, 'notifications.takeBack', { question }, [
    [unreadable, `✗ ${texts.takeBackFailed}`],
    [{ tolti: 1 }, texts.cleared],
  ]);
  expect(sent('notifications.takeBack')).toEqual([{ canale: 'telegram' }, { canale: 'telegram' }]);
  await openPage(SETTINGS, {
    'config.read': config({ telegram_chat_id: null }),
    'notifications.status': status({ in_attesa: 1 }),
  });
  expect(section(texts.title).textContent).toContain(texts.heldByBoth);
});
