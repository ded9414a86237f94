import type { Route } from '@playwright/test';
import {
  BOT_TOKEN,
  CHAT_ID,
  giulia,
  joined,
  type TelegramServer,
  telegramServer,
  wrote,
} from '../support/telegram.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { type AdminSite, adminPage, test as base, expect, signInAdmin } from './support/admin.ts';
import { expectToast, stored } from './support/content.ts';
import { openPrepared } from './support/prepared-folders.ts';
import { inTime } from './support/stage.ts';

/** Finding the chat of the messages on `/admin/notifiche`. */

const SETTINGS = '/admin/notifiche';

const test = base.extend<{ messenger: AdminSite & { telegram: TelegramServer } }>({
  /** The administrator's pages with a saved bot, which lives on a Telegram of our own. */
  messenger: async ({ page }, use) => {
    const telegram = await telegramServer();
    const { server, admin } = await openPrepared(null, { TELEGRAM_API_ROOT: telegram.root });
    await admin.call('PATCH', '/admin/config', { versione: 0, fields: { telegram_bot_token: BOT_TOKEN } });
    await signInAdmin(page, server);
    await use({ server, admin, telegram, open: (path) => adminPage(page, server, path) });
    await page.close();
    await server.stop();
    await telegram.close();
  },
});

test('after «Avvia» the chat is seen and offered, chosen by hand and written to', async ({
  page,
  messenger,
}) => {
  const { telegram } = messenger;
  await messenger.open(SETTINGS);
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  const field = chat.getByLabel('Chat ID', { exact: true });
  await expect(chat.getByText('Guardo se qualcuno scrive al bot…')).toBeVisible();
  await expect(chat.getByRole('link', { name: 'Apri @sorpresa_di_prova_bot' })).toHaveAttribute(
    'href',
    'https://t.me/sorpresa_di_prova_bot?start',
  );

  telegram.updates.push(
    joined(1, { id: Number(CHAT_ID), type: 'supergroup', title: 'Noi' }),
    wrote(2, giulia),
  );
  const found = chat.getByRole('listitem');
  await expect(found).toHaveText([/^Trovata: Giulia Bianchi \(@giulia\) persona/, /^Trovata: Noi +gruppo/]);
  // It is offered, and no more.
  await expect(field).toHaveValue('');
  expect(await stored(messenger)).toMatchObject({ telegram_chat_id: null });
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);

  const use = chat.getByRole('button', { name: 'Usa questa chat: Giulia Bianchi' });
  await use.press('Enter');
  await expectToast(page, 'Impostazioni salvate!');
  await expect(field).toHaveValue(String(giulia.id));
  await expect(chat.getByRole('button', { name: 'È la chat scelta: Giulia Bianchi' })).toBeFocused();
  expect(await stored(messenger)).toMatchObject({ telegram_chat_id: String(giulia.id) });
  await page.getByRole('button', { name: 'Invia un messaggio di prova' }).tap();
  await expect(page.getByText('Messaggio inviato: guarda la chat.')).toBeVisible();
  expect(telegram.messages).toMatchObject([{ chat_id: String(giulia.id) }]);
});

test('what keeps it from being found is said; who leaves ends the search', { tag: '@long' }, async ({
  page,
  messenger,
  quiet,
}) => {
  quiet.allow(/status of 404/);
  await page.clock.install();
  const { telegram } = messenger;
  telegram.fail({ kind: 'status', status: 409, description: 'Conflict: webhook is active' });
  await messenger.open(SETTINGS);
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(chat.getByText(/^Il bot è collegato a un altro servizio \(un webhook\)/)).toBeVisible();
  telegram.fail({ kind: 'none' });
  await chat.getByRole('button', { name: 'Cerca di nuovo' }).tap();
  await expect(chat.getByText('Guardo se qualcuno scrive al bot…')).toBeVisible();

  // Our own server's word isn't there: asked again, and then said.
  const lost = (route: Route) => route.fulfill({ status: 404, body: '' });
  await page.route('**/api/admin/notifications/chats', lost);
  await inTime(page, chat.getByText('Errore durante la ricerca della chat'));
  await page.unroute('**/api/admin/notifications/chats', lost);
  telegram.fail({ kind: 'silent' });
  await chat.getByRole('button', { name: 'Cerca di nuovo' }).tap();
  await expect.poll(() => telegram.waiting()).toBe(2);
  await page.getByRole('link', { name: 'Torna al pannello' }).first().tap();
  await expect.poll(() => telegram.waiting()).toBe(0);
});
