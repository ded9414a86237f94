import type { Page } from '@playwright/test';
import { expectAxeClean } from './support/accessible.ts';
import { expect, test } from './support/admin.ts';
import { broken, dialog, fixture, listed, told, upload, VIDEO } from './support/admin-media.ts';

/** As an old program on Windows writes them. */
const FILE = {
  name: 'serata.srt',
  mimeType: 'application/x-subrip',
  buffer: Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Perché no?</i>\r\n', 'latin1'),
};
const KEPT = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nPerché no?\n';

/** The film's player in the dialog stands at a second. */
const seek = (page: Page, second: number) =>
  page.getByLabel('video-3s.mp4 con i sottotitoli').evaluate(
    (video: HTMLVideoElement, to) =>
      new Promise((done) => {
        video.addEventListener('seeked', done, { once: true });
        video.currentTime = to;
      }),
    second,
  );

test('captions: refused, out of a file, seen over the film, typed at its time, deleted', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  quiet.allow(/status of (422|500)|Failed to load resource/);
  await adminSite.open('/admin/video');
  await upload(page, VIDEO, fixture('video-3s.mp4'));
  await told(page, 'Video caricato e salvato!');
  await page.getByRole('button', { name: 'Aggiungi i sottotitoli a video-3s.mp4' }).click();
  const form = dialog(page, 'I sottotitoli del video');
  const text = form.getByLabel('Testo dei sottotitoli');
  const save = form.getByRole('button', { name: 'Salva' });

  await text.fill('00:02 --> 00:01\nCiao');
  await save.click();
  await expect(form.getByText(/^Riga 1: questi tempi non si leggono/)).toBeVisible();
  await page.evaluate(() => {
    const { arrayBuffer } = File.prototype;
    File.prototype.arrayBuffer = async () => {
      File.prototype.arrayBuffer = arrayBuffer;
      throw new Error('gone');
    };
  });
  const choose = form.locator('input[type=file]');
  await choose.setInputFiles(FILE);
  await expect(form.getByText('Questo file non si può leggere: scaricalo di nuovo e riprova.')).toBeVisible();
  await choose.setInputFiles(fixture('video-3s.mp4'));
  await expect(form.getByText(/^Questi non sembrano sottotitoli/)).toBeVisible();
  await choose.setInputFiles(FILE);
  await expect(text).toHaveValue(/<i>Perché no\?<\/i>/);
  await form.getByLabel('A chi si vedono').selectOption('Sempre, a chiunque');
  const calls = '**/api/admin/media/video/*/captions';
  await page.route(calls, broken);
  await save.click();
  await expect(form.getByText('Non sono riuscito a salvare i sottotitoli: riprova.')).toBeVisible();
  await page.unroute(calls);
  await save.press('Enter');
  await told(page, 'Sottotitoli salvati');
  await expect(text).toHaveValue(KEPT);
  expect((await listed(adminSite, 'video'))[0]?.captions?.mode).toBe('always');

  await seek(page, 1.5);
  await expect(form.getByText('Perché no?', { exact: true })).toBeVisible();
  await expectAxeClean(page);
  await seek(page, 2.5);
  await expect(form.getByText('Perché no?', { exact: true })).toBeHidden();
  await text.press('ControlOrMeta+End');
  await form.getByRole('button', { name: 'Inserisci il tempo di adesso' }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('Sì.');
  await expect(text).toHaveValue(`${KEPT}\n00:00:02.500 --> 00:00:05.500\nSì.`);
  await form.getByRole('button', { name: 'Chiudi' }).last().click();
  const lose = dialog(page, 'Chiudere senza salvare?');
  await lose.getByRole('button', { name: 'Annulla' }).click();
  await expect(lose).toBeHidden();
  await form.getByRole('button', { name: 'Chiudi' }).last().click();
  await lose.getByRole('button', { name: 'Chiudi senza salvare' }).click();
  await expect(form).toBeHidden();

  await page.reload();
  const open = page.getByRole('button', { name: 'Sottotitoli: sempre (video-3s.mp4)' });
  await page.route('**/*.vtt', broken);
  await open.click();
  await expect(form.getByText('Non sono riuscito a leggere i sottotitoli.')).toBeVisible({ timeout: 20_000 });
  await page.unroute('**/*.vtt');
  await form.getByRole('button', { name: 'Riprova' }).click();
  await expect(text).toHaveValue(KEPT);
  const remove = form.getByRole('button', { name: 'Elimina i sottotitoli di video-3s.mp4' });
  const sure = dialog(page, 'Sei sicuro di voler eliminare i sottotitoli?');
  await page.route(calls, broken);
  await remove.click();
  await sure.getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Non sono riuscito a eliminare i sottotitoli: riprova.');
  await page.unroute(calls);
  await remove.click();
  await sure.getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Sottotitoli eliminati');
  await expect(text).toHaveValue('');
  expect((await listed(adminSite, 'video'))[0]?.captions).toBeNull();
});
