import { expect, test, vi } from 'vitest';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { siteAddressTexts } from '../../src/texts/admin/site-address.ts';
import { tokensTexts as texts } from '../../src/texts/admin/tokens.ts';
import { code, config, defaults, refused, sentence, unreadable, visit } from '../support/admin-answers.ts';
import { click, expectConfirmation, press, submit, undo, write } from '../support/admin-hand.ts';
import { alerts, control, dialog, dialogs, field, pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const CODES = '/admin/token';
const ID = code().id;
const row = (nome: string) => {
  const found = [...document.querySelectorAll('tbody tr')].find((one) => one.textContent.startsWith(nome));
  return (found ?? expect.unreachable(nome)) as HTMLElement;
};
const of = (action: string) => texts.of(action, 'Giulia');

test('validates the fields of a new code, and creates it with the defaults', async () => {
  await openPage(CODES, { 'tokens.list': [], 'tokens.create': code() });
  expect(pageText()).toContain(texts.empty + texts.emptyHint);
  const { create } = texts;
  expect([field(/^Accessi/).value, field(/^Scadenza/).value]).toEqual(['1', '30']);
  const refuse = async (label: RegExp, value: string, why: string) => {
    write(label, value);
    await submit(label);
    expect([takeNotices(), sent('tokens.create')]).toEqual([[`✗ ${why}`], []]);
    expect(pageText()).toContain(why);
  };
  await refuse(/^Nome/, '  ', create.nameRequired);
  write(/^Nome/, ' Giulia ');
  for (const wrong of ['0', '1000001', '1,5']) await refuse(/^Accessi/, wrong, create.badAccesses);
  write(/^Accessi/, '1000000');
  for (const wrong of ['0', '3651']) await refuse(/^Scadenza/, wrong, create.badDays);
  write(/^Scadenza/, '3650');
  await submit(/^Nome/);
  expect(sent('tokens.create')).toEqual([{ nome: 'Giulia', max_accessi: 1_000_000, giorni: 3_650 }]);
  expect([takeNotices(), field(/^Nome/).value]).toEqual([[create.created], '']);
  // The new code has its own section until the administrator confirms it.
  const createdSection = section(texts.made.title('Giulia'));
  expect(createdSection.textContent).toContain('ROM-7KX2M9QD');
  await press(texts.made.done, createdSection);
  expect(pageText()).not.toContain(texts.made.hint);

  // Empty number fields use the server's defaults; without expiry no days are sent.
  for (const label of [/^Accessi/, /^Scadenza/]) write(label, '');
  write(/^Nome/, 'A');
  await submit(/^Nome/);
  write(/^Nome/, 'B');
  await click(field(create.never));
  expect(field(/^Scadenza/).disabled).toBe(true);
  await submit(/^Nome/);
  expect(sent('tokens.create').slice(1)).toEqual([
    { nome: 'A' },
    { nome: 'B', max_accessi: 1, giorni: null },
  ]);
  takeNotices();
  answerWith({ 'tokens.create': unreadable });
  write(/^Nome/, 'C');
  await submit(/^Nome/);
  expect([takeNotices(), field(/^Nome/).value]).toEqual([[`✗ ${create.failed}`], 'C']);
});

test('shows the state of each code, with a remedy for one that does not open', async () => {
  const codes = [
    code({ nome: 'Anna', id: `${ID.slice(0, -1)}2`, scadenza: '2026-03-01T11:00:00.000Z' }),
    code({ nome: 'Bice', id: `${ID.slice(0, -1)}3`, accessi_usati: 2 }),
    code({ nome: 'Carla', id: `${ID.slice(0, -1)}4`, attivo: false }),
    code({ nome: '<b>Dora</b>', id: `${ID.slice(0, -1)}5`, scadenza: null }),
  ];
  await openPage(CODES, { 'tokens.list': codes });
  const { remedies } = texts;
  for (const [nome, ...parts] of [
    ['Anna', '1º marzo 2026', texts.expired, remedies.CODE_EXPIRED, '1/2'],
    ['Bice', '2/2', texts.exhausted, remedies.CODE_EXHAUSTED, '10 luglio 2026'],
    ['Carla', remedies.CODE_INVALID, texts.inactive],
    ['<b>Dora</b>', texts.never, texts.active, 'ROM-7KX2M9QD'],
  ] as const)
    for (const part of parts) expect(row(nome).textContent).toContain(part);
  expect(row('Carla').textContent).not.toContain(texts.exhausted);
  expect(row('<b>Dora</b>').textContent).not.toContain(texts.extend);
  // A code that expires while the page is open is shown as expired.
  answerWith({ 'tokens.list': [code({ scadenza: '2026-06-10T18:00:20.000Z' })] });
  await press(texts.refresh);
  expect(row('Giulia').textContent).not.toContain(texts.expired);
  await pass(30_000);
  expect(row('Giulia').textContent).toContain(texts.expired);
});

test('extends a code, adds an access, revokes and restores it, and reports each result', async () => {
  await openPage(CODES, {
    'tokens.addAccess': code({ max_accessi: 3 }),
    'tokens.extend': code(),
    'tokens.setActive': code({ attivo: false }),
  });
  await press(of(texts.addAccess));
  // The request contains the displayed limit, so a repeated request adds nothing.
  expect([sent('tokens.addAccess'), takeNotices()]).toEqual([
    [{ id: ID, max_accessi: 2 }],
    [texts.accessAdded],
  ]);
  await press(of(texts.extend));
  expect(field(texts.extendDays).value).toBe('30');
  expect(dialog().textContent).toContain('Giulia');
  for (const wrong of ['0', '3651']) {
    write(texts.extendDays, wrong);
    await submit(texts.extendDays);
    expect(sent('tokens.extend')).toEqual([]);
    expect(dialog().textContent).toContain(texts.create.badDays);
  }
  write(texts.extendDays, '7');
  await submit(texts.extendDays);
  const extension = { id: ID, giorni: 7, scadenza: '2026-07-10T18:00:00.000Z' };
  expect([sent('tokens.extend'), takeNotices(), await dialogs()]).toEqual([[extension], [texts.extended], 0]);

  const active = () => field(of(texts.active));
  const toggle = () => click(active());
  answerWith({ 'tokens.list': [code({ attivo: false })] });
  await toggle();
  expect([sent('tokens.setActive'), takeNotices()]).toEqual([[{ id: ID, attivo: false }], [texts.revoked]]);
  expect(active().checked).toBe(false);
  answerWith({ 'tokens.list': [code()] });
  await toggle();
  expect([sent('tokens.setActive').at(-1), takeNotices()]).toEqual([
    { id: ID, attivo: true },
    [texts.restored],
  ]);

  // Revoking needs a confirmation if a visit uses the code, or if visits can't be read.
  for (const inside of [
    { attive: [visit()], terminate: [], conteggi: { attive: 1, terminate: 0 } },
    refused('UNAVAILABLE'),
  ]) {
    answerWith({ 'sessions.list': inside });
    await toggle();
    expect(sent('tokens.setActive').length).toBe(2);
    expect(dialog().textContent).toContain(texts.revokeDetail);
    await press(commonTexts.cancel, dialog());
    expect([await dialogs(), sent('tokens.setActive').length]).toEqual([0, 2]);
  }
  await toggle();
  answerWith({ 'tokens.setActive': unreadable });
  await press(texts.revoke, dialog());
  expect(sent('tokens.setActive').length).toBe(3);
  expect(takeNotices()).toEqual([`✗ ${texts.saveFailed}`]);
  expect(active().checked).toBe(true);
});

test('deletes a code after a confirmation, and restores it by the notice’s undo', async () => {
  await openPage(CODES, { 'tokens.remove': { bin: 'cestino-1' }, 'bin.restore': { came: 'active' } });
  const confirmation = {
    question: texts.removeQuestion + texts.removeDetail('Giulia'),
    confirm: texts.remove,
  };
  await expectConfirmation(of(texts.remove), 'tokens.remove', confirmation, [
    [refused('NOT_FOUND'), `✗ ${sentence('NOT_FOUND')}`],
  ]);
  answerWith({ 'tokens.remove': { bin: 'cestino-1' }, 'tokens.list': [] });
  await press(of(texts.remove));
  const confirm = control(texts.remove, dialog());
  await click(confirm);
  await click(confirm);
  await pass(500);
  // A second click sends no second request; the button is removed and the list has the focus.
  expect(sent('tokens.remove')).toEqual([{ id: ID }, { id: ID }]);
  expect(document.activeElement).toBe(section(texts.list));
  answerWith({ 'tokens.list': [code()] });
  await undo();
  expect(sent('bin.restore')).toEqual([{ id: 'cestino-1' }]);
  expect(takeNotices()).toEqual(['È di nuovo al suo posto, nella sorpresa']);
  expect(row('Giulia').textContent).toContain('ROM-7KX2M9QD');
});

test('copies the code, or offers it for manual copying', async () => {
  await openPage(CODES);
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(of(texts.copy));
  expect([writeText.mock.lastCall, takeNotices()]).toEqual([['ROM-7KX2M9QD'], [texts.copied]]);
  writeText.mockRejectedValue(new Error('shut'));
  await press(of(texts.copy));
  await pass(500);
  expect(field(texts.copyByHand).value).toBe('ROM-7KX2M9QD');
  expect(dialog().textContent).toContain(texts.copyByHandHint);
  expect(takeNotices()).toEqual([]);
});

const HANDED = { own: null, name: 'nome-suo', url: 'https://sorpresa.example/', token: 'ROM-7KX2M9QD' };

test('shares the message by WhatsApp, and warns about an address that opens only here', async () => {
  await openPage(CODES, {
    'config.read': config({ recipient_name: null }),
    me: { ...defaults.me, public_url: 'http://localhost:3000' },
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const message = texts.message({ ...HANDED, name: null, url: 'http://localhost:3000/' });
  await press(of(texts.share.action));
  await pass(500);
  const shown = () => dialog().textContent;
  for (const part of [siteAddressTexts.notices.machine, message, texts.share.none, texts.share.never])
    expect(shown()).toContain(part);
  const link = control(texts.share.whatsApp, dialog()) as HTMLAnchorElement;
  expect(link.href).toBe(`https://wa.me/?text=${encodeURIComponent(message)}`);
  expect(link.target).toBe('_blank');
  expect(link.rel).toBe('noopener noreferrer');
});

test('stores an own message with its placeholders, and returns to the usual one', async () => {
  const server = await openStoringPage(CODES);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(of(texts.share.action));
  await press(texts.own.edit.share_message, dialog());
  const label = texts.own.label.share_message;
  expect(field(label).value).toBe(texts.usualMessage);
  write(label, 'Ciao ');
  await press(texts.own.insert('{nome}'), dialog());
  expect(field(label).value).toBe('Ciao {nome}');
  const lacks = texts.own.lacks(['{indirizzo}', '{codice}']);
  expect(dialog().textContent).toContain(lacks);
  const preview = () => section(texts.share.message).textContent;
  expect(preview()).toBe('Ciao nome-suo\n\nhttps://sorpresa.example/\n\nROM-7KX2M9QD');
  await press(texts.share.copy, dialog());
  expect(writeText.mock.lastCall).toEqual([preview()]);
  await submit(label);
  expect(server.config.share_message).toBe('Ciao {nome}');
  expect(takeNotices()).toEqual([texts.messageCopied, texts.own.saved]);
  await press(texts.own.usual, dialog());
  await pass(1_000);
  expect(server.config.share_message).toBeNull();
  expect(preview()).toBe(texts.message(HANDED));
  expect(dialog().textContent).not.toContain(lacks);
  await press(texts.own.mine, dialog());
  await pass(1_000);
  expect(server.config.share_message).toBe('Ciao {nome}');
});

test('reports that the card can’t be painted', async () => {
  await openPage(CODES);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  await press(of(texts.card.action));
  await pass(500);
  expect(alerts()).toEqual([expect.stringContaining(texts.card.failed)]);
});
