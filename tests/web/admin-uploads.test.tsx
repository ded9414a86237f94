import { act, fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { slotTexts } from '../../src/texts/admin/slots.ts';
import { uploadTexts } from '../../src/texts/admin/uploads.ts';
import { addUpload, removeUpload } from '../../src/web/admin/components/media/uploads/store.ts';
import type { UploadState } from '../../src/web/admin/components/media/uploads/upload.ts';
import { type Outputs, refused, sentence, unreadable, work } from '../support/admin-answers.ts';
import { press } from '../support/admin-hand.ts';
import { alerts, dialog, dialogs, pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

type Arrived = Outputs['media.arrived'][number];

test('shows the processing of files, asks before stopping it, and restarts it', async () => {
  const at = work();
  const of = { slot: 'immagine', size: 9 } as const;
  const full: Arrived = { ...of, upload: 'u2', nome: 'due.jpg', state: 'stopped', codice: 'STORAGE_FULL' };
  const no: Arrived = { ...of, upload: 'u3', nome: 'tre.svg', state: 'refused', codice: 'FILE_SVG' };
  await openPage('/admin/immagine', { 'media.arrived': [at, full, no] });
  const texts = uploadTexts;
  const working = document.querySelector(`section[aria-label="${texts.workLabel('foto.jpg')}"]`)?.textContent;
  expect(working).toBe(
    `foto.jpg42% · ${texts.readyIn(40)}${slotTexts.immagine.checking}${texts.mayClose}${texts.cancel}`,
  );
  expect(alerts()).toContain(
    `${texts.halted('due.jpg')}${sentence('STORAGE_FULL')}${commonTexts.retry}${texts.cancel}`,
  );
  expect(alerts()).toContain(`${texts.refused('tre.svg')}${sentence('FILE_SVG')}${texts.dismiss}`);
  await press(texts.cancel);
  expect(dialog().textContent).toContain(texts.stopQuestion + texts.stopConsequence('foto.jpg'));
  await press(commonTexts.cancel, dialog());
  expect(await dialogs()).toBe(0);
  answerWith({ 'media.finish': unreadable });
  await press(commonTexts.retry);
  expect([sent('media.finish'), takeNotices()]).toEqual([[{ upload: 'u2' }], [`✗ ${texts.againFailed}`]]);
  answerWith({ 'media.finish': { state: 'working', waiting: true, progress: 0, secondsLeft: null } });
  await press(commonTexts.retry);
  for (const [answered, notices] of [
    [unreadable, [`✗ ${texts.dismissFailed}`]],
    [refused('NOT_FOUND'), []],
  ] as const) {
    answerWith({ 'media.dismiss': answered, 'media.arrived': [at] });
    await press(texts.dismiss);
    expect([sent('media.dismiss').at(-1), takeNotices()]).toEqual([{ upload: 'u3' }, notices]);
  }
  expect(pageText()).not.toContain(texts.refused('tre.svg'));
  const queued = { ...at, waiting: true, progress: 0 };
  await openPage('/admin/immagine', { 'media.arrived': [queued] });
  expect(pageText()).toContain(texts.aboutToBegin);
  await openPage('/admin/immagine', { 'media.arrived': [queued, { ...at, upload: 'u4', slot: 'video' }] });
  expect(pageText()).toContain(texts.queued);
});

test('shows an upload’s progress and problems', async () => {
  const texts = uploadTexts;
  const upload = { key: 'k', upload: null, slot: 'immagine', nome: 'foto.jpg', size: 100, sent: 10 } as const;
  const show = async (state: UploadState, sent: number = upload.sent) => {
    await act(async () => {
      removeUpload('k');
      addUpload({ ...upload, sent, state });
    });
    await pass(0);
    return pageText();
  };
  await openPage('/admin/immagine', { 'media.list': [] });
  expect(await show({ phase: 'sending', bytesPerSecond: 2_048, secondsLeft: 90 })).toContain(
    `foto.jpg10% · ${texts.sent(10, 100)} · ${texts.speed(2_048)} · ${texts.timeLeft(90)}${texts.keepOpen}`,
  );
  expect(await show({ phase: 'waiting' })).toContain(texts.waiting);
  expect(await show({ phase: 'failed', messaggio: 'Non va.' })).toContain(`Non va.${commonTexts.retry}`);
  expect(await show({ phase: 'file-lost' })).toContain(texts.fileLost);
  const again =
    section(texts.progressLabel('foto.jpg')).querySelector('input[type="file"]') ?? expect.unreachable();
  fireEvent.change(again, { target: { files: [new File(['x'], 'altra.jpg')] } });
  await pass(0);
  expect(takeNotices()).toEqual([`✗ ${texts.otherFile('foto.jpg')}`]);
  // Cancelling after more than a tenth needs a confirmation.
  await show({ phase: 'waiting' }, 11);
  await press(texts.cancel, section(texts.progressLabel('foto.jpg')));
  expect(dialog().textContent).toContain(texts.cancelQuestion + texts.cancelConsequence('foto.jpg', 0.11));
  await press(commonTexts.cancel, dialog());
  await dialogs();
  await show({ phase: 'waiting' });
  await press(texts.cancel, section(texts.progressLabel('foto.jpg')));
  expect(pageText()).not.toContain('foto.jpg');
  expect(await show({ phase: 'refused', messaggio: 'Non è una foto.' })).toContain(
    `${texts.refused('foto.jpg')}Non è una foto.`,
  );
  await press(texts.dismiss);
  expect(pageText()).not.toContain('foto.jpg');
  expect(pageText()).toContain(uploadTexts.startsAtOnce('image'));
});

test('takes a file from the dialog or dropped on the zone, and says what it refuses', async () => {
  const texts = slotTexts.immagine;
  await openPage('/admin/immagine', { 'media.list': [] });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') ?? expect.unreachable();
  const zone = input.parentElement ?? expect.unreachable();
  expect(input.getAttribute('aria-label')).toBe(uploadTexts.field(texts.title));
  const opened = vi.spyOn(input, 'click');
  await press(texts.choose);
  expect(opened).toHaveBeenCalledOnce();

  const drop = async (isDirectory: boolean, ...names: string[]) => {
    const files = names.map((name) => new File(['x'], name));
    const items = files.map(() => ({ webkitGetAsEntry: () => ({ isDirectory }) }));
    fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files, items } });
    await pass(0);
  };
  const refusal = sentence('FILE_SVG');
  fireEvent.change(input, { target: { files: [new File(['x'], 'scelto.svg')] } });
  await pass(0);
  expect([alerts(), takeNotices()]).toEqual([
    [uploadTexts.refused('scelto.svg') + refusal],
    [`✗ ${refusal}`],
  ]);
  await drop(false, 'primo.svg', 'secondo.svg');
  expect([alerts(), takeNotices()]).toEqual([[uploadTexts.refused('primo.svg') + refusal], [`✗ ${refusal}`]]);
  await drop(true, 'cartella');
  await drop(false);
  expect(takeNotices()).toEqual([`✗ ${texts.missing}`, `✗ ${texts.missing}`]);

  // Next to the zone a file is not opened in place of the page. Text can be dropped into fields.
  const isPrevented = (type: string) =>
    !fireEvent.drop(document.body, { dataTransfer: { types: [type], files: [], items: [] } });
  expect([isPrevented('Files'), isPrevented('text/plain')]).toEqual([true, false]);
});
