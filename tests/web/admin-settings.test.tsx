import { expect, test, vi } from 'vitest';
import { archiveTexts, eraseTexts } from '../../src/texts/admin/archive.ts';
import { diagnosisAdminTexts } from '../../src/texts/admin/diagnosis.ts';
import { dayOf } from '../../src/texts/admin/formats.ts';
import { planBPageTexts } from '../../src/texts/admin/plan-b.ts';
import { accountTexts, signInTexts } from '../../src/texts/admin/sign-in.ts';
import { faultTexts, verdictText } from '../../src/texts/diagnosis.ts';
import {
  defaults,
  NOW,
  type Outputs,
  refused,
  sentence,
  unreadable,
  visit,
} from '../support/admin-answers.ts';
import {
  click,
  expectConfirmation,
  expectNotices,
  press,
  showAgain,
  submit,
  write,
} from '../support/admin-hand.ts';
import { alerts, control, dialog, field, pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, sent, takeNotices } from '../support/admin-page.tsx';

const LATER = '2026-06-10T19:00:00.000Z';

test('changes password, e-mail and devices only with the current password', async () => {
  const { user_agent } = visit();
  const used_at = '2026-06-10T17:00:00.000Z';
  const device = { id: 'd1', current: true, user_agent, created_at: LATER, used_at };
  const devices = [device, { ...device, id: 'd2', current: false }];
  await openPage('/admin/accesso', { 'GET /api/auth/list-sessions': devices });
  const texts = accountTexts;
  const list = () => [...document.querySelectorAll('ul > li')].map(({ textContent }) => textContent);
  expect(list()).toEqual([
    `Android · Chrome${texts.devices.current}${texts.devices.used('adesso')}`,
    `Android · Chrome${texts.devices.used('1 ora fa')}`,
  ]);
  expect(pageText()).toContain(texts.email.hint(defaults.me.email));
  const forms = [
    [texts.password, 'POST /api/auth/change-password', { currentPassword: 'segreta', newPassword: 'nuova' }],
    [texts.email, 'POST /api/auth/change-email', { password: 'segreta', newEmail: 'nuova' }],
    [texts.devices, 'POST /api/auth/revoke-other-sessions', { password: 'segreta' }],
  ] as const;
  for (const [form, call, body] of forms) {
    const card = section(form.title);
    await submit(texts.current, card);
    expect(takeNotices()).toEqual([`✗ ${texts.missingPassword}`]);
    expect(sent(call)).toEqual([]);
    expect(document.activeElement).toBe(field(texts.current, card));
    if ('next' in form) write(form.next, ' nuova ', card);
    write(texts.current, ' segreta ', card);
    for (const [answered, why, label] of [
      [refused('BAD_CREDENTIALS'), texts.wrongPassword, texts.current],
      [unreadable, texts.failed, texts.current],
      ...('next' in form
        ? ([
            [refused('WEAK_PASSWORD'), sentence('WEAK_PASSWORD'), form.next],
            [refused('EMAIL_TAKEN'), sentence('EMAIL_TAKEN'), form.next],
            [refused('BAD_INPUT'), signInTexts.notAnEmail, form.next],
          ] as const)
        : []),
    ] as const) {
      answerWith({ [call]: answered });
      await submit(texts.current, card);
      expect([takeNotices(), document.activeElement]).toEqual([[`✗ ${why}`], field(label, card)]);
      expect(card.textContent).toContain(why);
    }
    answerWith({ [call]: {} });
    await submit(texts.current, card);
    expect([sent(call).at(-1), takeNotices()]).toEqual([
      body,
      ['changed' in form ? form.changed : form.ended],
    ]);
    expect(field(texts.current, card).value).toBe('');
  }
  const devicesCard = section(texts.devices.title);
  answerWith({ 'GET /api/auth/list-sessions': [device] });
  write(texts.current, 'segreta', devicesCard);
  await submit(texts.current, devicesCard);
  expect(devicesCard.textContent).toContain(texts.devices.alone);
  expect(document.activeElement?.getAttribute('aria-label')).toBe(texts.devices.list);
});

test('downloads the archive with a passphrase typed twice, and shows that it has started', async () => {
  const { make } = archiveTexts;
  await openPage('/admin/copia', { 'archive.prepare': { path: '/api/admin/archive/x' } });
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(this.pathname);
  });
  for (const part of [make.hint(300 * 1024 ** 2), make.last(null)]) expect(pageText()).toContain(part);
  const tryWith = async (passphrase: string, again: string) => {
    write(make.passphrase, passphrase);
    write(make.again, again);
    await submit(make.again);
    return takeNotices();
  };
  expect(await tryWith('12345678901', '12345678901')).toEqual([`✗ ${sentence('PASSPHRASE_SHORT')}`]);
  expect(document.activeElement).toBe(field(make.passphrase));
  expect(await tryWith('123456789012', '123456789012 ')).toEqual([`✗ ${make.differ}`]);
  expect([sent('archive.prepare'), document.activeElement]).toEqual([[], field(make.again)]);
  answerWith({ 'archive.prepare': unreadable });
  expect(await tryWith('123456789012', '123456789012')).toEqual([`✗ ${make.makeFailed}`]);
  expect(field(make.again).value).toBe('123456789012');
  answerWith({ 'archive.prepare': { path: '/api/admin/archive/x' } });
  expect(await tryWith(' 23456789012', ' 23456789012')).toEqual([make.begun]);
  expect(clicked).toEqual(['/api/admin/archive/x']);
  expect(sent('archive.prepare').at(-1)).toEqual({ passphrase: ' 23456789012' });
  expect([pageText(), field(make.again).value]).toEqual([expect.stringContaining(make.underWay), '']);
});

test('erases the evening after the confirmation word, except for the selected parts', async () => {
  const { there, keep, last } = eraseTexts;
  const look = { ...defaults['erase.look'], living: 1, backups: 2 };
  await openPage('/admin/cancella', { 'erase.look': look, 'erase.carryOut': { erased: true } });
  for (const part of [there.lines(look).join(''), last.backups(2), last.living(1)])
    expect(pageText()).toContain(part);
  const checkedParts = () => Object.values(keep.parts).map(({ label }) => field(label).checked);
  expect(checkedParts()).toEqual([false, false, true]);
  await click(field(keep.parts.codes.label));
  for (const wrong of ['', 'cancella']) {
    write(last.label, wrong);
    await submit(last.label);
    expect([sent('erase.carryOut'), pageText()]).toEqual([[], expect.stringContaining(last.wrong)]);
  }
  answerWith({ 'erase.carryOut': unreadable });
  write(last.label, 'CANCELLA');
  await submit(last.label);
  expect([takeNotices(), field(last.label).value]).toEqual([[`✗ ${last.failed}`], 'CANCELLA']);
  const nothing = { ...look, visits: 0, answers: 0, files: 0, events: 0, codes: 0, living: 0 };
  answerWith({ 'erase.carryOut': { erased: true }, 'erase.look': nothing });
  await submit(last.label);
  expect(sent('erase.carryOut').at(-1)).toEqual({
    keep: { codes: true, configuration: false, account: true },
    word: 'CANCELLA',
  });
  expect([takeNotices(), field(last.label).value]).toEqual([[last.done], '']);
  expect(pageText()).toContain(there.nothing);
  expect(pageText()).not.toContain(last.living(1));
});

test('seals the evening, shows what prevents it and offers the file', async () => {
  const texts = planBPageTexts;
  const state = defaults['planB.read'];
  const plan = { made_at: NOW.toISOString(), size: 9, file_size: 5 * 1024 ** 2, current: true };
  await openPage('/admin/piano-b', { 'planB.read': { ...state, hindrance: 'no_film' } });
  for (const part of [texts.none, texts.hindrance('no_film')]) expect(pageText()).toContain(part);
  expect(control(texts.make).hasAttribute('disabled')).toBe(true);
  const show = async (changes: Partial<Outputs['planB.read']>) =>
    showAgain({ 'planB.read': { ...state, ...changes } });
  await show({ failed: 'no_room' });
  expect(alerts()).toEqual([texts.failure('no_room')]);
  answerWith({ 'planB.make': unreadable });
  await press(texts.make);
  expect(takeNotices()).toEqual([`✗ ${texts.makeFailed}`]);
  answerWith({ 'planB.make': state, 'planB.read': { ...state, making: true } });
  await press(texts.make);
  expect([sent('planB.make'), pageText()]).toEqual([[{}, {}], expect.stringContaining(texts.making)]);
  await show({ making: true, waits: true });
  expect(pageText()).toContain(texts.waits);
  await show({ plan });
  for (const part of [texts.current, texts.made(plan.made_at, plan.file_size), texts.needs(plan.file_size)])
    expect(pageText()).toContain(part);
  expect(control(texts.download).getAttribute('href')).toBe('/api/admin/plan-b/piano-b.html');
  await show({ plan: { ...plan, current: false } });
  expect(pageText()).toContain(texts.old);
});

test('creates a pass for a phone’s diagnosis, shows results and deletes one after a confirmation', async () => {
  const texts = diagnosisAdminTexts;
  const phone: Outputs['diagnosis.list']['phones'][number] = {
    id: 'telefono-1',
    nome: 'Il telefono di Giulia',
    at: NOW.toISOString(),
    user_agent: visit().user_agent,
    findings: { in_app: true, film: 'played' },
    verdict: 'bad',
    faults: ['in_app'],
    untried: [],
  };
  await openPage('/admin/telefoni', {
    'diagnosis.list': {
      passes: [{ id: 7, nome: '', scadenza: LATER }],
      phones: [phone, { ...phone, id: 't2', nome: '', faults: [], verdict: 'good' }],
    },
  });
  const [first, second] = [...document.querySelectorAll('article')].map(({ textContent }) => textContent);
  for (const part of [verdictText('bad', phone.nome), 'Android · Chrome', faultTexts.in_app])
    expect(first).toContain(part);
  expect(second).toContain(verdictText('good', texts.unnamed) + texts.verdicts.good);
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(texts.copyLabel(phone.nome));
  expect(writeText.mock.lastCall?.[0]).toContain(verdictText('bad', phone.nome).replace('.', ''));
  expect(takeNotices()).toEqual([texts.resultCopied]);

  const confirmation = { question: texts.removeQuestion, confirm: texts.remove };
  await expectConfirmation(texts.removeLabel(phone.nome), 'diagnosis.remove', confirmation, [
    [unreadable, `✗ ${texts.removeFailed}`],
    [{}, texts.removed],
  ]);
  expect(sent('diagnosis.remove').at(-1)).toEqual({ id: 'telefono-1' });
  expect(pageText()).toContain(`${texts.open}${texts.unnamed} · ${texts.validUntil(dayOf(LATER))}`);
  await expectNotices('diagnosis.close', () => press(texts.closeLabel(texts.unnamed)), [
    [unreadable, `✗ ${texts.closeFailed}`],
    [{}, texts.closed],
  ]);
  expect(sent('diagnosis.close').at(-1)).toEqual({ id: '7' });

  await openPage('/admin/telefoni', { 'diagnosis.pass': unreadable });
  expect(pageText()).toContain(texts.none + texts.noneHint);
  await press(texts.make);
  write(texts.nome, 'Anna');
  await submit(texts.nome);
  expect(takeNotices()).toEqual([`✗ ${texts.createFailed}`]);
  const createdPass = { id: 8, nome: 'Anna', scadenza: LATER, pass: 'segreto' };
  answerWith({ 'diagnosis.pass': { ...createdPass, public_url: 'https://sorpresa.example' } });
  await submit(texts.nome);
  expect(sent('diagnosis.pass').at(-1)).toEqual({ nome: 'Anna' });
  // The pass is in the URL fragment, so no server receives it.
  expect(field(texts.linkLabel).value).toBe('https://sorpresa.example/diagnostica#segreto');
  expect(dialog().textContent).toContain(texts.validUntil(dayOf(LATER)));
  await press(texts.copyLink, dialog());
  expect(writeText.mock.lastCall).toEqual(['https://sorpresa.example/diagnostica#segreto']);
  expect(takeNotices()).toEqual([texts.copied]);
});
