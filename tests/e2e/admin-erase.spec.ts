import { elsewhere, expect, stored, test, told } from './support/admin.ts';

test('erases the evening once the word is typed, and leaves what was chosen', async ({ page, adminSite }) => {
  const { admin, open } = adminSite;
  const codes = () => admin.call<{ nome: string }[]>('GET', '/admin/tokens');
  await admin.call('POST', '/admin/tokens', { nome: 'Giulia', max_accessi: 1 });
  await elsewhere(adminSite, { titolo_viaggio: 'Noi due' });
  await open('/admin/cancella');
  await expect(page.getByText('1 codice', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Il mio accesso')).toBeChecked();
  await page.getByLabel('La configurazione').tap();
  const confirmed = page.getByLabel('Per confermare scrivi CANCELLA');
  const erase = page.getByRole('button', { name: 'Cancella la serata' });
  await confirmed.fill('CANCELLA');
  await erase.tap();
  await told(page, 'La serata è stata cancellata.');
  await expect(page.getByText('Non c’è più niente della serata')).toBeVisible();
  expect(await codes()).toEqual([]);
  expect((await stored(adminSite)).titolo_viaggio).toBe('Noi due');
});
