import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { expect, laptop, test } from './support/admin.ts';
import { readQr } from './support/qr.ts';

test.use(laptop);

test('a phone is tried by a QR code of its own; what it found stands on the dashboard and can be copied', {
  tag: '@long',
}, async ({ page, adminSite, context, quiet }) => {
  quiet.allow(/ERR_FAILED|status of 500/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await adminSite.open('/admin/dashboard');
  await expect(page.getByRole('heading', { name: 'Nessun telefono provato' })).toBeVisible();
  await page.getByRole('link', { name: 'Prova un telefono' }).click();
  await expectAxeClean(page);
  await page.getByRole('button', { name: 'Prova un telefono' }).click();
  await page.getByLabel('Di chi è il telefono').fill('Il telefono di Giulia');
  await page.getByRole('button', { name: 'Crea il codice QR' }).click();
  const link = await page.getByLabel('Link della prova').inputValue();
  expect(await readQr(page.getByRole('img', { name: 'Codice QR che apre la prova del telefono' }))).toBe(
    link,
  );
  expect(link).not.toContain('Giulia');
  await expectAxeClean(page);
  await page.keyboard.press('Escape');

  const { server } = adminSite;
  const told = {
    id: 'device-1',
    pass: new URL(link).hash.slice(1),
    findings: { in_app: true, film: 'played', heard: 'yes', song: 'by_itself', song_heard: 'yes' },
  };
  const answer = await fetch(`${server.url}/api/diagnosis/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(told),
  });
  expect(answer.status).toBe(200);
  // Heard at once, without asking.
  await expect(page.getByRole('heading', { name: 'Il telefono di Giulia è quasi pronto' })).toBeVisible();
  await expectAxeClean(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Copia l’esito: Il telefono di Giulia' }).click();
  await expect(page.getByText('Esito copiato!')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^Il telefono di Giulia è quasi pronto \(/,
  );

  await page.getByRole('button', { name: 'Chiudi il codice: Il telefono di Giulia' }).click();
  await expect(page.getByText('Il codice è chiuso e non vale più.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Codici aperti' })).toHaveCount(0);

  const remove = async () => {
    await page.getByRole('button', { name: 'Elimina: Il telefono di Giulia' }).click();
    const dialog = page.getByRole('dialog', { name: 'Eliminare l’esito di questo telefono?' });
    await dialog.getByRole('button', { name: 'Elimina' }).click();
  };
  await page.route('**/api/admin/diagnosis/device-1', (route) => route.fulfill({ status: 500, body: '' }));
  await remove();
  await expect(page.getByText('Errore durante l’eliminazione')).toBeVisible();
  await page.unroute('**/api/admin/diagnosis/device-1');
  await remove();
  await expect(page.getByText('Esito eliminato.')).toBeVisible();
  await expect(page.getByText('Nessun telefono provato')).toBeVisible();
});
