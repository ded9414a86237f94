import type { Page } from '@playwright/test';
import { call } from '../support/http.ts';
import { mailServer } from '../support/mail-server.ts';
import { BOT_TOKEN, giulia, joined, messageUpdate, telegramServer } from '../support/telegram.ts';
import { expectAxeClean } from './support/accessible.ts';
import { adminPage, expect, expectNotice, part, save, signInAdmin, stored, test } from './support/admin.ts';
import { openPrepared } from './support/prepared-folders.ts';

/** `/admin/notifiche`: the bot and its chat, the mail server, and their secrets. */

const SETTINGS = '/admin/notifiche';

/** Returns a function that resolves with the text of all previous responses. */
function answersOf(page: Page): () => Promise<string[]> {
  const said: Promise<string>[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/json|html|javascript/.test(type)) said.push(response.text().catch(() => ''));
  });
  return () => Promise.all(said);
}

const keptBy = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));

test('sets up the bot, shows Telegram’s reply, and never reveals the token', { tag: '@long' }, async ({
  page,
}) => {
  test.slow();
  const telegram = await telegramServer();
  const { server, admin } = await openPrepared(null, { TELEGRAM_API_ROOT: telegram.root });
  try {
    await signInAdmin(page, server);
    const said = answersOf(page);
    await adminPage(page, server, SETTINGS);
    const bot = part(page, 'Telegram');
    const chat = part(page, 'Chat');
    const send = page.getByRole('button', { name: 'Invia un messaggio di prova' });
    await expect(send).toBeDisabled();
    await bot.getByLabel('Token del bot').fill(` ${BOT_TOKEN} `);
    await bot.getByRole('button', { name: 'Salva token' }).tap();
    await expectNotice(page, 'Token del bot salvato!');
    await expect(bot.getByText(`••••${BOT_TOKEN.slice(-4)}`)).toBeVisible();

    await expect(chat.getByText('Guardo se qualcuno scrive al bot…')).toBeVisible();
    telegram.updates.push(joined(1, { id: -42, type: 'supergroup', title: 'Noi' }), messageUpdate(2, giulia));
    await expect(chat.getByRole('listitem')).toHaveText([
      /^Trovata: Giulia Bianchi \(@giulia\) persona/,
      /^Trovata: Noi +gruppo/,
    ]);
    // It is only offered.
    expect(await stored({ admin })).toMatchObject({ telegram_chat_id: null });
    await chat.getByRole('button', { name: 'Usa questa chat: Giulia Bianchi' }).press('Enter');
    await expectNotice(page, 'Impostazioni salvate!');
    await expect(chat.getByLabel('Chat ID', { exact: true })).toHaveValue(String(giulia.id));
    await expect(chat.getByRole('button', { name: 'È la chat scelta: Giulia Bianchi' })).toBeFocused();
    await expectAxeClean(page);

    const tested = part(page, 'Messaggio di prova');
    await send.tap();
    await expect(tested.getByText('Messaggio inviato: guarda la chat.')).toBeVisible();
    expect(telegram.messages).toMatchObject([{ chat_id: String(giulia.id) }]);
    telegram.fail({ kind: 'status', status: 401, description: 'Unauthorized' });
    await send.tap();
    await expect(tested.getByText('Telegram non lo ha accettato.')).toBeVisible();
    await expect(tested.getByText('401 Unauthorized')).toBeVisible();
    const queue = part(page, 'In coda');
    const attempt = { token: 'ROM-NESSUNO', attempt_id: crypto.randomUUID(), device_id: 'device-1-prova' };
    const asked = telegram.requests;
    await call(server.url, 'POST', '/access', attempt);
    await expect.poll(() => telegram.requests).toBeGreaterThan(asked);
    await queue.getByRole('button', { name: 'Aggiorna' }).tap();
    await expect(queue.getByText('1 messaggio in attesa di partire')).toBeVisible();
    await expect(queue.getByText(/^Telegram non riconosce il token del bot/)).toBeVisible();
    telegram.fail({ kind: 'none' });
    await send.tap();
    await expect(queue.getByText('Nessun messaggio in attesa.')).toBeVisible();
    await expect(queue.getByText(/^Ultimo messaggio inviato: /)).toBeVisible();

    const secret = BOT_TOKEN.split(':')[1] ?? '';
    const everything = [await page.content(), await keptBy(page), server.logged(), ...(await said())];
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
    await bot.getByRole('button', { name: 'Rimuovi' }).tap();
    const question = page.getByRole('dialog').filter({ hasText: /^Rimuovere il token del bot\?/ });
    await question.getByRole('button', { name: 'Rimuovi' }).tap();
    await expectNotice(page, 'Token del bot rimosso');
    await expect(bot.getByLabel('Token del bot')).toBeVisible();
    expect(await stored({ admin })).toMatchObject({ telegram_bot_token_masked: null });
    await page.close();
  } finally {
    await server.stop();
    await telegram.close();
  }
});

test('sets up a mail server, shows its reply, and hides the password', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  const secret = 'canarino-Segretissimo+42';
  const mail = await mailServer('none');
  const said = answersOf(page);
  await adminSite.open(SETTINGS);
  const server = part(page, 'E-mail');
  const tested = part(page, 'Messaggio di prova');
  const send = tested.getByRole('button', { name: 'Invia un’e-mail di prova' });
  await expect(send).toBeDisabled();
  await server.getByLabel('Server di posta').fill('127.0.0.1');
  await server.getByLabel('Cifratura').selectOption('none');
  await server.getByLabel('Porta').fill(String(mail.port));
  await server.getByLabel('Mittente').fill('lui@posta.example');
  await server.getByLabel('Destinatario').fill('lui@posta.example');
  await save(page);
  await expectNotice(page, 'Impostazioni salvate!');
  await send.tap();
  await expect(tested.getByText('E-mail inviata: guarda la posta, anche lo spam.')).toBeVisible();
  expect(mail.letters).toHaveLength(1);
  mail.fail({ at: 'rcpt', code: 550, text: '5.1.1 No such user' });
  await send.tap();
  await expect(tested.getByText('550 5.1.1 No such user')).toBeVisible();
  await expect(tested.getByText(/^Il server di posta rifiuta il mittente o il destinatario/)).toBeVisible();

  const field = page.getByRole('textbox', { name: 'Password' });
  await field.fill(secret);
  await page.getByRole('button', { name: 'Salva password' }).tap();
  await expectNotice(page, 'Password della posta salvata!');
  expect(await stored(adminSite)).toMatchObject({ smtp_password_kept: true });
  const everything = [await page.content(), await keptBy(page), adminSite.server.logged(), ...(await said())];
  expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  await server.getByRole('button', { name: 'Rimuovi' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Rimuovi' }).tap();
  await expectNotice(page, 'Password della posta rimossa');
  expect(await stored(adminSite)).toMatchObject({ smtp_password_kept: false });
  await mail.close();
});
