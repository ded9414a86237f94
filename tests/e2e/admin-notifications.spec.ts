import type { Page } from '@playwright/test';
import { call } from '../support/http.ts';
import { mailServer } from '../support/mail-server.ts';
import { BOT_TOKEN, giulia, joined, messageUpdate, telegramServer } from '../support/telegram.ts';
import { expectAxeClean } from './support/accessible.ts';
import { adminPage, expect, expectNotice, part, signInAdmin, stored, test } from './support/admin.ts';
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
    const send = bot.getByRole('button', { name: 'Invia un messaggio di prova' });
    await expect(send).toHaveCount(0);
    await bot.getByLabel('Chiave del bot').fill(` ${BOT_TOKEN} `);
    await bot.getByRole('button', { name: 'Salva' }).tap();
    await expectNotice(page, 'Impostazioni salvate!');
    await expect(bot.getByText(`Salvata: ••••${BOT_TOKEN.slice(-4)}`)).toBeVisible();
    await expect(bot.getByLabel('Chiave del bot')).toHaveValue('');

    await expect(bot.getByText('Guardo se qualcuno scrive al bot…')).toBeVisible();
    telegram.updates.push(joined(1, { id: -42, type: 'supergroup', title: 'Noi' }), messageUpdate(2, giulia));
    await expect(bot.getByRole('listitem')).toHaveText([
      /^Trovata: Giulia Bianchi \(@giulia\) persona/,
      /^Trovata: Noi +gruppo/,
    ]);
    // It is only offered.
    expect(await stored({ admin })).toMatchObject({ telegram_chat_id: null });
    await bot.getByRole('button', { name: 'Usa questa chat: Giulia Bianchi' }).press('Enter');
    await expectNotice(page, 'Impostazioni salvate!');
    await expect(bot.getByLabel('Numero della chat')).toHaveValue(String(giulia.id));
    await expect(bot.getByRole('button', { name: 'È la chat scelta: Giulia Bianchi' })).toBeFocused();
    await expectAxeClean(page);

    await send.tap();
    await expect(bot.getByText('Messaggio inviato: guarda la chat.')).toBeVisible();
    expect(telegram.messages).toMatchObject([{ chat_id: String(giulia.id) }]);
    telegram.fail({ kind: 'status', status: 401, description: 'Unauthorized' });
    await send.tap();
    await expect(bot.getByText('Telegram non lo ha accettato.')).toBeVisible();
    await expect(bot.getByText('401 Unauthorized')).toBeVisible();
    const queue = part(page, 'In coda');
    const attempt = { token: 'ROM-NESSUNO', attempt_id: crypto.randomUUID(), device_id: 'device-1-prova' };
    const asked = telegram.requests;
    await call(server.url, 'POST', '/access', attempt);
    await expect.poll(() => telegram.requests).toBeGreaterThan(asked);
    await queue.getByRole('button', { name: 'Aggiorna' }).tap();
    await expect(queue.getByText('1 messaggio in attesa di partire')).toBeVisible();
    await expect(queue.getByText(/^Telegram non riconosce la chiave del bot/)).toBeVisible();
    telegram.fail({ kind: 'none' });
    await send.tap();
    await expect(queue.getByText('Nessun messaggio in attesa.')).toBeVisible();
    await expect(queue.getByText(/^Ultimo messaggio inviato: /)).toBeVisible();

    const secret = BOT_TOKEN.split(':')[1] ?? '';
    const everything = [await page.content(), await keptBy(page), server.logged(), ...(await said())];
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
    await bot.getByRole('button', { name: 'Rimuovi' }).tap();
    const question = page.getByRole('dialog').filter({ hasText: /^Rimuovere il bot e la chat\?/ });
    await question.getByRole('button', { name: 'Rimuovi' }).tap();
    await expectNotice(page, 'Impostazioni rimosse');
    await expect(bot.getByText(/^Salvata: /)).toHaveCount(0);
    expect(await stored({ admin })).toMatchObject({
      telegram_bot_token_masked: null,
      telegram_chat_id: null,
    });
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
  const card = part(page, 'E-mail');
  const send = card.getByRole('button', { name: 'Invia un’e-mail di prova' });
  const saveCard = async () => {
    await card.getByRole('button', { name: 'Salva' }).tap();
    await expectNotice(page, 'Impostazioni salvate!');
  };
  await card.getByLabel('Da quale posta partono?').selectOption('Un altro');
  await card.getByLabel('Server di posta').fill('127.0.0.1');
  await card.getByLabel('Cifratura').selectOption('Nessuna');
  await card.getByLabel('Porta').fill(String(mail.port));
  await card.getByLabel('Indirizzo e-mail').fill('lui@posta.example');
  await expect(send).toHaveCount(0);
  await saveCard();
  await send.tap();
  await expect(card.getByText('E-mail inviata: guarda la posta, anche lo spam.')).toBeVisible();
  expect(mail.letters).toHaveLength(1);
  mail.fail({ at: 'rcpt', code: 550, text: '5.1.1 No such user' });
  await send.tap();
  await expect(card.getByText('550 5.1.1 No such user')).toBeVisible();
  await expect(card.getByText(/^Il server di posta rifiuta il mittente o il destinatario/)).toBeVisible();

  // The address and the password are enough for a known service.
  await card.getByLabel('Da quale posta partono?').selectOption('Gmail');
  await card.getByRole('textbox', { name: 'Password' }).fill(secret);
  await expectAxeClean(page);
  await saveCard();
  await expect(card.getByText('È salvata: scrivi qui solo per cambiarla.')).toBeVisible();
  expect(await stored(adminSite)).toMatchObject({
    smtp_password_kept: true,
    smtp_host: 'smtp.gmail.com',
    smtp_port: 465,
    smtp_security: 'tls',
    smtp_user: 'lui@posta.example',
  });
  const everything = [await page.content(), await keptBy(page), adminSite.server.logged(), ...(await said())];
  expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  await card.getByRole('button', { name: 'Rimuovi' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Rimuovi' }).tap();
  await expectNotice(page, 'Impostazioni rimosse');
  expect(await stored(adminSite)).toMatchObject({ smtp_password_kept: false, smtp_host: null });
  await mail.close();
});
