import { expect, test, vi } from 'vitest';
import { binTexts } from '../../src/texts/admin/bin.ts';
import { eventLabels, exitPointTexts, logsTexts } from '../../src/texts/admin/logs.ts';
import { answersTexts, repliesTexts } from '../../src/texts/admin/questions.ts';
import { sessionsTexts } from '../../src/texts/admin/sessions.ts';
import {
  answer,
  defaults,
  event,
  type Outputs,
  offline,
  refused,
  sentence,
  unreadable,
  visit,
} from '../support/admin-answers.ts';
import { choose, expectConfirmation, expectNotices, press } from '../support/admin-hand.ts';
import { pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const ended = (changes: Parameters<typeof visit>[0]) =>
  visit({ is_active: false, state: 'ended', disconnected_at: '2026-06-10T17:00:00.000Z', ...changes });

test('shows active visits with their position, and how each visit ended', async () => {
  const terminate = [
    ended({ id: 'v2', disconnection_reason: 'timeout', position: { step: 2, phrase: 1, second: 0 } }),
    ended({ id: 'v3', disconnection_reason: 'token_revoked', exit_point: 'during_checkboxes' }),
    ended({
      id: 'v4',
      disconnection_reason: 'user_logout',
      completed_at: '2026-06-10T17:00:00.000Z',
      token_value: 'ROM-GELOESCHT',
      position: { step: 9, phrase: 0, second: 0 },
      user_agent: '<b>strano</b>',
      capabilities: null,
    }),
  ];
  const list = { attive: [visit()], terminate, conteggi: { attive: 1, terminate: 12 } };
  await openPage('/admin/sessions', { 'sessions.list': list });
  const cards = () => [...document.querySelectorAll('article')].map(({ textContent }) => textContent);
  const [inside = '', lost, revoked, completed] = cards();
  for (const part of [
    sessionsTexts.online,
    'ROM-7KX2M9QD · Giulia',
    'Video · al minuto 1:24 · tappa 2 di 3',
    'telefono-di-giulia-0…',
    '(12 secondi fa)',
    '(10 minuti fa)',
    sessionsTexts.abilities('schermo intero, schermo sempre acceso'),
  ])
    expect(inside).toContain(part);
  expect(inside).not.toContain(sessionsTexts.background);
  const stops = [...document.querySelectorAll('[data-state]')].map(({ textContent }) => textContent);
  expect(stops).toEqual(['Frasi pre-video: fatta', 'Video: adesso', 'Frasi: non ancora']);
  expect(document.querySelector('[aria-current="step"]')?.textContent).toBe('Video: adesso');
  expect(lost).toContain('Collegamento perso');
  expect(lost).toContain('Frasi · frase 2 di 2');
  expect(revoked).toContain('Codice disattivato');
  expect(revoked).toContain(sessionsTexts.unfinished + sessionsTexts.left(exitPointTexts.during_checkboxes));
  for (const part of [
    sessionsTexts.completed,
    sessionsTexts.deletedCode,
    sessionsTexts.unknownPosition,
    'OFFLINE',
  ])
    expect(completed).toContain(part);
  for (const part of ['1 attiva', '12 terminate', sessionsTexts.latestOnly(3, 12)])
    expect(pageText()).toContain(part);
  // Relative times update automatically.
  await pass(60_000);
  expect(cards()[0]).toContain('(1 minuto fa)');

  const hidden = visit({ background: true, position: { step: 0, phrase: 1, second: 0 } });
  answerWith({ 'sessions.list': { attive: [hidden], terminate: [], conteggi: { attive: 1, terminate: 0 } } });
  await press(sessionsTexts.refresh);
  expect(cards()[0]).toContain(`frase 2 di 2 · tappa 1 di 3 · ${sessionsTexts.background}`);
  expect(pageText()).not.toContain(sessionsTexts.latestOnly(0, 0));
  answerWith({ 'sessions.list': { attive: [], terminate, conteggi: { attive: 0, terminate: 3 } } });
  await press(sessionsTexts.refresh);
  expect(section(sessionsTexts.active).textContent).toContain(sessionsTexts.nobody);
  expect(pageText()).not.toContain('Qui ci sono le ultime');
  answerWith({ 'sessions.list': { attive: [], terminate: [], conteggi: { attive: 0, terminate: 0 } } });
  await press(sessionsTexts.refresh);
  expect(pageText()).toContain(sessionsTexts.empty + sessionsTexts.emptyHint);
});

test('lists events as sentences with labels and raw details, and filters them', async () => {
  const eventi = [
    event(),
    event({
      id: 'e2',
      event_type: 'access_denied',
      token_value: '<b>x</b>',
      device_id: 'd'.repeat(40),
      success: false,
      error_message: 'Codice scaduto',
      metadata: { reason: 'token_expired' },
    }),
    event({
      id: 'e3',
      event_type: 'luna_piena',
      success: false,
      error_message: 'Troppo chiara',
      device_id: null,
    }),
    event({ id: 'e4', event_type: 'admin_signed_in', success: false, user_agent: visit().user_agent }),
  ];
  await openPage('/admin/logs', { 'logs.list': { eventi, totale: 117, solo_contati: 1 } });
  const entries = () => [...document.querySelectorAll('ol details')].map(({ textContent }) => textContent);
  const [granted, denied, unknown, admin] = entries();
  for (const part of [
    eventLabels.access_granted,
    'Qualcuno è entrato con il codice ROM-7KX2M9QD.',
    '10 giu, 19:50:00',
  ])
    expect(granted).toContain(part);
  // The sentence already contains the code and the reason.
  for (const part of [
    'Qualcuno ha provato il codice <b>x</b>, che è scaduto.',
    `${'d'.repeat(30)}…`,
    '"token_expired"',
  ])
    expect(denied).toContain(part);
  expect(denied).not.toContain(logsTexts.failed);
  expect(unknown).toContain('luna_piena');
  expect(unknown).toContain(`${logsTexts.failed}: Troppo chiara`);
  expect(unknown).toContain('ROM-7KX2M9QD');
  expect(admin).toContain(`${logsTexts.failed}ROM-7KX2M9QD · telefono-di-giulia-0001 · Android`);
  for (const part of ['117 eventi', logsTexts.latestOnly(4, 117), logsTexts.onlyCounted(1)])
    expect(pageText()).toContain(part);
  answerWith({ 'logs.list': { eventi: [event()], totale: 1, solo_contati: 5 } });
  await choose(logsTexts.filter, 'access_denied');
  expect(sent('logs.list').at(-1)).toEqual({ event_type: 'access_denied' });
  expect(pageText()).not.toContain('nel CSV ci sono tutti');
  answerWith({ 'logs.list': { eventi: [], totale: 0, solo_contati: 5 } });
  await choose(logsTexts.filter, 'session_ended');
  expect(pageText()).toContain(logsTexts.emptyOfKind);
  expect(pageText()).not.toContain(logsTexts.onlyCounted(5));
  answerWith({ 'logs.list': { eventi: [], totale: 0, solo_contati: 0 } });
  await press(logsTexts.showAll);
  await press(logsTexts.refresh);
  expect(pageText()).toContain(logsTexts.empty + logsTexts.emptyHint);
  expect(pageText()).not.toContain('solo contat');
});

test('shows the accesses of each day', async () => {
  const { accesses } = logsTexts;
  const day = (giorno: string, riusciti: number, rifiutati: number) => ({ giorno, riusciti, rifiutati });
  const openWith = async (...accessi_per_giorno: Outputs['dashboard']['accessi_per_giorno']) =>
    openPage('/admin/logs', { dashboard: { ...defaults.dashboard, accessi_per_giorno } });
  await openWith(day('2026-06-08', 0, 0), day('2026-06-09', 2, 5), day('2026-06-10', 1, 0));
  expect(pageText()).toContain(accesses.summary(3, 5));
  expect([...document.querySelectorAll('table tr')].map(({ textContent }) => textContent)).toEqual([
    accesses.day + accesses.granted + accesses.denied,
    '9 giugno 202625',
    '10 giugno 202610',
  ]);
  await openWith(day('2026-06-10', 0, 0));
  expect(pageText()).not.toContain(accesses.title);
});

test('saves the CSV under the server’s name, and nothing if the download fails', async () => {
  const csv = { headers: { 'content-disposition': 'attachment; filename="event_logs_2026-06-10.csv"' } };
  await openPage('/admin/logs', { 'GET /api/admin/logs.csv': async () => new Response('a;b', csv) });
  const saved: string[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:csv', revokeObjectURL: () => {} }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await press(logsTexts.export);
  expect([saved, takeNotices()]).toEqual([['event_logs_2026-06-10.csv'], [logsTexts.exported]]);
  await press(logsTexts.exportExcel);
  expect(sent('GET /api/admin/logs.csv')).toEqual([{}, { per: 'excel' }]);
  expect(saved.splice(1)).toHaveLength(1);
  expect(takeNotices()).toEqual([logsTexts.exported]);
  await expectNotices('GET /api/admin/logs.csv', () => press(logsTexts.export), [
    [offline, `✗ ${logsTexts.exportFailed}`],
    [unreadable, `✗ ${logsTexts.exportFailed}`],
    [refused('UNAVAILABLE'), `✗ ${sentence('UNAVAILABLE')}`],
  ]);
  expect(saved).toHaveLength(1);
});

test('shows answers with their questions and codes, and the replies', async () => {
  await openPage('/admin/checkbox');
  expect(pageText()).toContain(answersTexts.emptyTitle + answersTexts.emptyHint);
  expect(pageText()).not.toContain(repliesTexts.title);
  const reply = {
    session_id: 'v',
    token_value: 'ROM-7KX2M9QD',
    nome: 'Giulia',
    testo: 'Grazie!',
    at: answer().created_at,
  };
  await openPage('/admin/checkbox', {
    'answers.list': [
      answer(),
      answer({ id: '2', viaggio: 2, token_value: 'ROM-VIA', domanda_1: null, domanda_2: null }),
    ],
    'answers.replies': [reply],
  });
  const cards = [...section(answersTexts.title).querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(cards).toEqual([
    'Primo viaggioGiulia ROM-7KX2M9QD10 giugno 2026 alle ore 19:58Partiamo insieme?SìCena sul mare?No',
    'Secondo viaggiocodice eliminato ROM-VIA10 giugno 2026 alle ore 19:58Prima domandaSìSeconda domandaNo',
  ]);
  expect(section(repliesTexts.title).textContent).toContain(
    'Giulia ROM-7KX2M9QD10 giugno 2026 alle ore 19:58Grazie!',
  );
  const files: Blob[] = [];
  const createObjectURL = (file: Blob) => `blob:${files.push(file)}`;
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await press(answersTexts.exportExcel);
  expect([click.mock.contexts.map((link) => (link as HTMLAnchorElement).download), takeNotices()]).toEqual([
    ['risposte_2026-06-10_excel.csv'],
    [answersTexts.exported],
  ]);
  const [, first, second] = (await (files[0] ?? expect.unreachable()).text()).split('\r\n');
  expect([first, second]).toEqual([
    '"10/06/2026, 19:58:00";"Primo viaggio";"Giulia";"ROM-7KX2M9QD";"Partiamo insieme?";"Sì";"Cena sul mare?";"No"',
    '"10/06/2026, 19:58:00";"Secondo viaggio";"";"ROM-VIA";"";"Sì";"";"No"',
  ]);
});

test('lists deleted items in the bin, restores them and empties it after a confirmation', async () => {
  const item: Outputs['bin.list'][number] = {
    id: 'b1',
    kind: 'code',
    place: null,
    name: 'Giulia',
    token: 'ROM-7KX2M9QD',
    url: null,
    content_type: null,
    size: 0,
    deleted_at: '2026-06-09T10:00:00.000Z',
    until: '2026-07-08T10:00:00.000Z',
  };
  const picture = {
    id: 'b2',
    kind: 'media',
    place: 'immagine_2',
    name: 'neve.jpg',
    url: '/x.jpg',
    size: 1_024,
  } as const;
  await openPage('/admin/cestino', { 'bin.list': [item, { ...item, ...picture, token: null }] });
  const cards = () => [...document.querySelectorAll('article')].map(({ textContent }) => textContent);
  expect(cards()).toEqual([
    `GiuliaCodice · ROM-7KX2M9QD · fino all’8 luglio 2026${binTexts.codeHint}${binTexts.restore}`,
    `neve.jpgImmagine del secondo viaggio · 1 kB · fino all’8 luglio 2026${binTexts.look} ${binTexts.restore}`,
  ]);
  await expectNotices('bin.restore', () => press(binTexts.restoreOf('neve.jpg')), [
    [unreadable, `✗ ${binTexts.restoreFailed}`],
    [refused('BIN_PLACE_TAKEN'), `✗ ${sentence('BIN_PLACE_TAKEN')}`],
    [{ came: 'listed' }, binTexts.came.listed],
  ]);
  expect(sent('bin.restore')).toEqual([{ id: 'b2' }, { id: 'b2' }, { id: 'b2' }]);
  await expectConfirmation(
    binTexts.empty,
    'bin.empty',
    { question: binTexts.emptyQuestion + binTexts.emptyDetail },
    [
      [unreadable, `✗ ${binTexts.emptyFailed}`],
      [{}, binTexts.wasEmptied, { 'bin.list': [] }],
    ],
  );
  expect(pageText()).toContain(binTexts.none + binTexts.noneHint);
  expect([...document.querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContain(
    binTexts.empty,
  );
});
