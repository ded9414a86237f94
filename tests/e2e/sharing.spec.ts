import type { Page } from '@playwright/test';
import { tunnels } from '../support/tunnels.ts';
import { expectAxeClean, expectFingerSized, expectNoSidewaysScroll } from './support/accessible.ts';
import { account, signInAdmin } from './support/admin.ts';
import { expect, submit, test } from './support/stage.ts';
import { oneTrip } from './support/surprises.ts';
import { withPhone } from './support/visitor.ts';
import { downloadTickets, expectSceneNotice, walkToCard } from './support/walk.ts';

/** Sharing by one button, through a proxy that behaves like a quick tunnel (tests/support/tunnel-program.mjs). */

const TUNNEL = { ignoreHTTPSErrors: true };

test('shares the surprise with one press, and stops with another', async ({ page, browser, prepare }) => {
  test.slow();
  const programs = await tunnels('cloudflared');
  try {
    const { server, admin, code } = await prepare(oneTrip);
    const { id, token } = await code();
    await signInAdmin(page, server);
    await page.goto(`${server.url}/admin/rete`);
    const begin = page.getByRole('button', { name: 'Mettila in rete da questo computer' });
    await expect(begin).toBeVisible();
    await expectFits(page);
    await begin.tap();
    await expect(page.getByRole('heading', { name: 'La sorpresa è in rete' })).toBeVisible({
      timeout: 60_000,
    });
    await expectFits(page);
    const qr = page.getByRole('img', { name: /^Codice QR di https:/ });
    const address = ((await qr.getAttribute('aria-label')) ?? '').replace('Codice QR di ', '');
    // The administrator on another device: the visit appears without a reload, and is ended at once.
    await withPhone(
      browser,
      async (away) => {
        await away.goto(`${address}/admin`);
        await away.getByLabel('E-mail', { exact: true }).fill(account.email);
        await away.getByLabel('Password', { exact: true }).fill(account.password);
        await away.getByRole('button', { name: 'Accedi', exact: true }).tap();
        await expect(away).toHaveURL(`${address}/admin/dashboard`);
        await away.goto(`${address}/admin/sessions`);
        await expect(away.getByText('Nessuna sessione trovata')).toBeVisible();
        await withPhone(
          browser,
          async (phone) => {
            await phone.goto(address);
            await submit(phone, token);
            await walkToCard(phone);
            await downloadTickets(phone);
            await expect(away.getByText(token)).toBeVisible();
            await admin.call('PATCH', `/admin/tokens/${id}`, { attivo: false });
            await expectSceneNotice(phone, "Sei stato disconnesso dall'amministratore");
          },
          TUNNEL,
        );
        await expect(away.getByText('1 terminata')).toBeVisible();
      },
      TUNNEL,
    );
    await page.getByRole('button', { name: 'Togli dalla rete' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Togli dalla rete' }).tap();
    await expect(begin).toBeVisible();
  } finally {
    await page.close();
    await programs.end();
  }
});

async function expectFits(page: Page): Promise<void> {
  await expectAxeClean(page);
  await expectFingerSized(page);
  await expectNoSidewaysScroll(page);
}
