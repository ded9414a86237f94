import { expect, test } from 'vitest';
import { keysOf } from '../../src/domain/records.ts';
import { commonTexts, formTexts } from '../../src/texts/admin/forms.ts';
import { chatTexts, meaningOf, notificationsTexts } from '../../src/texts/admin/notifications.ts';
import {
  config,
  type Outputs,
  refused,
  sentence,
  storingServer,
  unreadable,
} from '../support/admin-answers.ts';
import { choose, expectConfirmation, press, showAgain, submit, write } from '../support/admin-hand.ts';
import { alerts, control, dialog, field, pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const SETTINGS = '/admin/notifiche';
const TOKEN = `123456789:${'a'.repeat(35)}`;
const LATER = '2026-06-10T19:00:00.000Z';

const { mail, token, chat, test: testTexts } = notificationsTexts;
const NO_MAIL = { ...config(), telegram_bot_token_masked: null, telegram_chat_id: null };
const telegramCard = () => section(notificationsTexts.telegram.title);
const mailCard = () => section(mail.title);
const PROVIDERS = {
  gmail: { smtp_host: 'smtp.gmail.com', smtp_security: 'tls', smtp_port: 465 },
  outlook: { smtp_host: 'smtp-mail.outlook.com', smtp_security: 'starttls', smtp_port: 587 },
  libero: { smtp_host: 'smtp.libero.it', smtp_security: 'tls', smtp_port: 465 },
  aruba: { smtp_host: 'smtps.aruba.it', smtp_security: 'tls', smtp_port: 465 },
} as const;

test.each(keysOf(PROVIDERS))('sets up e-mail from %s by address and password', async (provider) => {
  const server = await openStoringPage(SETTINGS, NO_MAIL);
  await choose(mail.provider.label, provider);
  // The server's settings are not shown.
  expect([...mailCard().querySelectorAll('input')].map(({ labels }) => labels?.[0]?.textContent)).toEqual([
    mail.from.label,
    mail.password.label,
    mail.to.label,
  ]);
  const texts = pageText();
  expect(texts).toContain(mail.passwords[provider]);
  expect([texts.includes(mail.outlookRefuses), texts.includes(mail.createPassword)]).toEqual([
    provider === 'outlook',
    provider === 'gmail',
  ]);
  write(mail.from.label, ' lui@esempio.it ');
  write(mail.password.label, ' abcd efgh ijkl mnop ');
  await submit(mail.from.label);
  const fields = {
    ...PROVIDERS[provider],
    smtp_user: 'lui@esempio.it',
    email_from: 'lui@esempio.it',
    email_to: 'lui@esempio.it',
    smtp_password: provider === 'gmail' ? 'abcdefghijklmnop' : 'abcd efgh ijkl mnop',
  };
  expect([sent('config.save'), takeNotices()]).toEqual([
    [{ versione: 7, fields }],
    [notificationsTexts.saved],
  ]);
  expect(pageText()).not.toContain(testTexts.email.send);
  // The password is kept nowhere, and the test message is offered as soon as the server has it.
  expect(JSON.stringify({ ...sessionStorage, ...localStorage }) + pageText()).not.toContain('ijkl');
  expect(field(mail.password.label).value).toBe('');
  server.elsewhere('config', { smtp_password_kept: true });
  await showAgain({ ...server.answers, 'notifications.test': { sent: true, answer: '250 ok' } });
  await press(testTexts.email.send);
  expect(sent('notifications.test')).toEqual([{ canale: 'email' }]);

  // Another recipient needs no password, and another service does.
  write(mail.to.label, 'lei@esempio.it');
  expect(pageText()).not.toContain(testTexts.email.send);
  await submit(mail.to.label);
  expect(server.config).toMatchObject({ ...PROVIDERS[provider], email_to: 'lei@esempio.it' });
  expect(takeNotices()).toEqual([notificationsTexts.saved]);
  await choose(mail.provider.label, provider === 'gmail' ? 'libero' : 'gmail');
  await submit(mail.to.label);
  expect([takeNotices(), sent('config.save').length]).toEqual([[`✗ ${mail.password.invalid}`], 2]);
});

test('shows the service of an earlier set-up, and all of its settings if it is an unknown one', async () => {
  const address = 'lui@esempio.it';
  const mine = { email_from: address, email_to: address, smtp_user: address, smtp_password_kept: true };
  const fields = () =>
    [...mailCard().querySelectorAll<HTMLInputElement>('input,select')].map(({ value }) => value);
  // Other settings of a known server stay.
  await openPage(SETTINGS, { 'config.read': config({ ...mine, smtp_host: 'SMTP.gmail.com' }) });
  expect(fields()).toEqual(['gmail', address, '', '']);
  write(mail.to.label, 'lei@esempio.it');
  await submit(mail.to.label);
  const kept = { smtp_host: 'SMTP.gmail.com', smtp_security: 'starttls', smtp_port: 587 };
  expect(sent('config.save')).toEqual([
    { versione: 7, fields: { ...kept, smtp_user: address, email_from: address, email_to: 'lei@esempio.it' } },
  ]);
  for (const other of [{ smtp_host: 'mail.esempio.it' }, { smtp_host: 'smtp.gmail.com', smtp_user: 'lui' }]) {
    await openPage(SETTINGS, { 'config.read': config({ ...mine, ...other }) });
    const { smtp_host, smtp_user = address } = other as { smtp_host: string; smtp_user?: string };
    expect(fields()).toEqual(['other', smtp_host, 'starttls', '587', address, smtp_user, '', '']);
  }
});

test('validates the settings of another mail server', async () => {
  const server = await openStoringPage(SETTINGS, NO_MAIL);
  await choose(mail.provider.label, 'other');
  write(mail.host.label, 'smtp.esempio.it');
  write(mail.from.label, 'lui@esempio.it');
  for (const [label, value, why, at] of [
    [mail.host.label, 'https://smtp.esempio.it', mail.host.invalid],
    [mail.port.label, '65536', mail.port.invalid],
    [mail.port.label, '0', mail.port.invalid],
    [mail.from.label, 'lui', mail.from.invalid],
    [mail.user.label, 'x'.repeat(201), mail.user.invalid],
    [mail.user.label, 'lui', mail.password.invalid, mail.password.label],
    [mail.password.label, 'x', mail.user.invalid, mail.user.label],
    [mail.to.label, 'lui', mail.to.invalid],
  ] as const) {
    const before = field(label).value;
    write(label, value);
    await submit(label);
    expect([takeNotices(), sent('config.save')]).toEqual([[`✗ ${why}`], []]);
    expect(document.activeElement).toBe(field(at ?? label));
    write(label, before);
  }
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
    email_to: 'lui@esempio.it',
  });
});

test('saves the bot’s key, and never reads it back', async () => {
  const server = await openStoringPage(SETTINGS, NO_MAIL);
  expect(telegramCard().querySelectorAll('input').length).toBe(1);
  for (const key of ['', '123:kurz']) {
    write(token.label, key);
    await submit(token.label);
    expect([takeNotices(), sent('config.save')]).toEqual([[`✗ ${token.invalid}`], []]);
  }
  await choose(mail.provider.label, 'gmail');
  write(mail.from.label, 'lui@esempio.it');
  write(token.label, ` ${TOKEN} `);
  await submit(token.label);
  const fields = { telegram_chat_id: null, telegram_bot_token: TOKEN };
  expect([sent('config.save'), takeNotices()]).toEqual([
    [{ versione: 7, fields }],
    [notificationsTexts.saved],
  ]);
  expect(JSON.stringify({ ...sessionStorage, ...localStorage }) + pageText()).not.toContain(TOKEN);
  expect(field(token.label).value).toBe('');

  // After a change in another window nothing is overwritten at first, and what was typed stays.
  const [failure, typed] = [unreadable, TOKEN.replaceAll('a', 'b')];
  server.elsewhere('config', { telegram_bot_token_masked: '••••ZZZZ', telegram_chat_id: '42' });
  write(token.label, typed);
  await submit(token.label);
  expect([takeNotices(), sent('config.save').length]).toEqual([
    [`✗ ${notificationsTexts.changedElsewhere}`],
    2,
  ]);
  expect([field(token.label).value, field(chat.label).value]).toEqual([typed, '42']);
  write(chat.label, 'Giulia');
  await submit(token.label);
  expect([takeNotices(), sent('config.save').length]).toEqual([[`✗ ${chat.invalid}`], 2]);
  write(chat.label, '42');
  answerWith({ 'config.save': failure });
  await submit(token.label);
  expect([takeNotices(), field(token.label).value]).toEqual([[`✗ ${notificationsTexts.saveFailed}`], typed]);
  answerWith(server.answers);
  await submit(token.label);
  expect(takeNotices()).toEqual([notificationsTexts.saved]);
  expect(server.config).toMatchObject({ telegram_bot_token: typed, telegram_chat_id: '42' });
  // The other channel is not saved, and keeps its text.
  expect([server.config.smtp_host, field(mail.from.label).value]).toEqual([null, 'lui@esempio.it']);
});

test('asks before unsaved settings of both channels are left, and saves them', async () => {
  const server = storingServer(NO_MAIL);
  const { at } = await openPage(SETTINGS, server.answers);
  const { leave } = formTexts;
  await choose(mail.provider.label, 'libero');
  write(token.label, TOKEN);
  await press(commonTexts.back);
  expect(dialog().textContent).toContain(leave.question);
  expect(dialog().textContent).not.toContain(leave.saveAndLeave);
  await press(leave.stay, dialog());
  expect([at().pathname, field(token.label).value]).toEqual([SETTINGS, TOKEN]);
  write(mail.from.label, 'lui@esempio.it');
  write(mail.password.label, 'canarino');
  await press(commonTexts.back);
  await press(leave.saveAndLeave, dialog());
  expect(at().pathname).toBe('/admin/dashboard');
  expect(server.config).toMatchObject({ telegram_bot_token: TOKEN, smtp_password: 'canarino' });
});

test('removes a channel after a confirmation', async () => {
  const address = 'lui@esempio.it';
  const mine = { smtp_host: 'smtp.libero.it', email_from: address, email_to: address, smtp_user: address };
  const server = await openStoringPage(SETTINGS, { ...mine, smtp_password_kept: true });
  expect(telegramCard().textContent).toContain(token.kept('••••1234'));
  for (const [card, { removeQuestion, removeDetail }, fields] of [
    [telegramCard, notificationsTexts.telegram, { telegram_bot_token: null, telegram_chat_id: null }],
    [
      mailCard,
      mail,
      { smtp_password: null, smtp_host: null, smtp_user: null, email_from: null, email_to: null },
    ],
  ] as const) {
    await press(notificationsTexts.remove, card());
    expect(dialog().textContent).toContain(removeQuestion + removeDetail);
    await press(notificationsTexts.remove, dialog());
    expect(takeNotices()).toEqual([notificationsTexts.removed]);
    expect(server.config).toMatchObject(fields);
  }
  expect(field(mail.provider.label).value).toBe('');
});

test('offers the chats that contacted the bot, and saves the chosen one', async () => {
  const giulia = { id: '42', tipo: 'private', nome: 'Giulia', utente: 'giulia' } as const;
  const server = storingServer({ telegram_chat_id: null });
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
  expect([field(chat.label).value, sent('config.save')]).toEqual(['', []]);
  await press(chatTexts.takeFrom('Giulia'));
  expect([server.config.telegram_chat_id, takeNotices()]).toEqual(['42', [notificationsTexts.saved]]);
  const requestCount = sent('notifications.chats').length;
  await press(chatTexts.selectedChat('Giulia'));
  await pass(10_000);
  expect([sent('notifications.chats').length, sent('config.save').length]).toEqual([requestCount, 1]);

  // With a saved chat, the search starts only on request, and shows what prevents it.
  await openPage(SETTINGS);
  expect(sent('notifications.chats')).toEqual([]);
  answerWith({ 'notifications.chats': { bot: null, chat: [], problema: 'WEBHOOK_SET' } });
  await press(chatTexts.find);
  expect(alerts()).toContain(chatTexts.problems.WEBHOOK_SET);
  answerWith({ 'notifications.chats': refused('NOT_CONFIGURED') });
  await press(chatTexts.again);
  expect(alerts()).toContain(sentence('NOT_CONFIGURED'));
  answerWith({ 'notifications.chats': { bot: null, chat: [], problema: null } });
  await press(chatTexts.again);
  await pass(95 * 2_000);
  expect(sent('notifications.chats').length).toEqual(2 + 90);
  expect(pageText()).toContain(chatTexts.none);
});

test('sends a test message, and shows the service’s answer and its meaning', async () => {
  const texts = testTexts;
  const settings = { smtp_host: 'smtp.esempio.it', email_from: 'a@esempio.it', email_to: 'b@esempio.it' };
  await openPage(SETTINGS, { 'config.read': config({ telegram_chat_id: null }) });
  for (const { send } of [texts.telegram, texts.email]) expect(pageText()).not.toContain(send);
  await openPage(SETTINGS, { 'config.read': config(settings) });
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
