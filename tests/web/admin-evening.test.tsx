import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { closingTime } from '../../src/domain/access.ts';
import { footerSentence } from '../../src/texts/access.ts';
import { checklistTexts } from '../../src/texts/admin/dashboard.ts';
import { eveningPageTexts as texts } from '../../src/texts/admin/evening.ts';
import {
  commonTexts,
  finalPhrasesTexts,
  formTexts,
  secondTripSwitchTexts,
  secondTripUnseenTexts,
} from '../../src/texts/admin/forms.ts';
import { closingIdeas, questionIdeas, suggestionTexts } from '../../src/texts/admin/phrases.ts';
import { filmStripTexts, previewCardTexts, previewTexts } from '../../src/texts/admin/preview.ts';
import { questionsTexts } from '../../src/texts/admin/questions.ts';
import { readinessSentences, reasonTexts } from '../../src/texts/admin/readiness.ts';
import { siteAddressTexts } from '../../src/texts/admin/site-address.ts';
import { longMoment } from '../../src/texts/dates.ts';
import { experienceTexts } from '../../src/texts/experience.ts';
import { rehearsalTexts } from '../../src/texts/rehearsal.ts';
import {
  code,
  config,
  defaults,
  offline,
  refused,
  sentence,
  storingServer,
  unreadable,
} from '../support/admin-answers.ts';
import { click, expectNotices, leave, press, submit, undo, write } from '../support/admin-hand.ts';
import { alerts, control, dialog, dialogs, field, pageText, phone, section } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';
import { NO_SECOND_TRIP } from '../support/evenings.ts';

const EVENING = '/admin/serata';
const SECOND_TRIP = '/admin/second-trip-details';

test('proposes the codes’ names as the recipient’s name, and uses one only after a tap', async () => {
  const server = storingServer({ recipient_name: null });
  const codes = ['Giulia', ' Giulia ', '', 'Anna', 'Bice', 'Carla', 'x'.repeat(200)].map((nome, at) =>
    code({ nome, id: `${at}` }),
  );
  await openPage(EVENING, { ...server.answers, 'tokens.list': codes });
  const { recipient } = texts;
  const proposed = () =>
    [...document.querySelectorAll(`[aria-label="${recipient.proposals}"] button`)].map(
      (one) => one.textContent,
    );
  expect(proposed()).toEqual(['Giulia', 'Anna', 'Bice'].map(recipient.propose));
  expect(field(recipient.label).value).toBe('');
  await press(recipient.propose('Anna'));
  expect([field(recipient.label).value, proposed()]).toEqual(['Anna', []]);
  await submit(recipient.label);
  expect(server.config.recipient_name).toBe('Anna');
  write(recipient.label, '   ');
  await submit(recipient.label);
  expect([server.config.recipient_name, proposed().length]).toEqual([null, 3]);
});

test('explains the effect of each date and time before saving, and refuses invalid ones', async () => {
  const server = await openStoringPage(EVENING, { data_laurea: null });
  const { occasion, keepsake, opening, privacy } = texts;
  for (const part of [occasion.never, keepsake.none, opening.none]) expect(pageText()).toContain(part);
  const rows = [
    [occasion.day, occasion.invalid, '1999-12-31', '2101-01-01'],
    [keepsake.label, occasion.invalid, '1999-12-31', '2101-01-01'],
    [opening.label, opening.invalid, '1999-12-31T21:00', '2101-01-01T21:00'],
    [privacy.days, privacy.invalid, '6', '366'],
  ] as const;
  for (const [label, why, ...wrong] of rows) {
    const before = field(label).value;
    for (const value of wrong) {
      write(label, value);
      await submit(label);
      expect([label, takeNotices(), sent('config.save')]).toEqual([label, [`✗ ${why}`], []]);
      expect(field(label).getAttribute('aria-invalid')).toBe('true');
    }
    write(label, before);
  }
  for (const [label, value, message] of [
    [occasion.day, '2026-06-01', occasion.willBeClosed(longMoment(closingTime('2026-06-01') ?? ''))],
    [occasion.day, '2026-06-30', occasion.closes(longMoment(closingTime('2026-06-30') ?? ''))],
    [keepsake.label, '2026-06-01', keepsake.past],
    [keepsake.label, '2026-06-11', reasonTexts.keepsake_before],
    [keepsake.label, '2026-07-02', keepsake.until('2 luglio 2026')],
    [keepsake.label, '2026-07-03', keepsake.afterClosing(longMoment(closingTime('2026-06-30') ?? ''))],
    [opening.label, '2026-01-01T21:00', 'Quest’ora è già passata ('],
    [opening.label, '2026-07-20T21:00', readinessSentences.opening_before_closing.lacks],
    [opening.label, '2026-06-20T21:00', 'Il codice apre da'],
  ] as const) {
    write(label, value);
    await pass(0);
    expect(pageText()).toContain(message);
  }
  expect(sent('config.save')).toEqual([]);
  // A partly typed date could close the site, so dates are saved on blur.
  await leave(opening.label);
  expect(server.config).toMatchObject({
    data_laurea: '2026-06-30',
    keepsake_until: '2026-07-03',
    tries_kept_days: 90,
  });
  expect(new Date(server.config.opens_at ?? '').getTime()).toBe(new Date('2026-06-20T21:00').getTime());
  for (const days of [7, 365]) {
    write(privacy.days, String(days));
    await submit(privacy.days);
    expect(server.config.tries_kept_days).toBe(days);
  }
});

test('replaces the footer by an own sentence or none, with or without a date', async () => {
  const { occasion } = texts;
  const server = await openStoringPage(EVENING);
  const footer = () => section(occasion.title).querySelector('figure')?.textContent;
  const usual = footerSentence({ data_laurea: '2026-06-30', closed: false, footer_text: null });
  expect(footer()).toBe(occasion.preview + usual);
  await click(field(occasion.choices.own));
  write(occasion.own, ' Auguri, dal mare ');
  await pass(0);
  expect(footer()).toBe(`${occasion.preview}Auguri, dal mare`);
  await submit(occasion.own);
  expect(server.config).toMatchObject({ footer_text: 'Auguri, dal mare', data_laurea: '2026-06-30' });
  await click(field(occasion.choices.none));
  expect(footer()).toBe(occasion.preview + occasion.nothing);
  await submit(occasion.day);
  expect(server.config.footer_text).toBe('');
  await click(field(new RegExp(`^${occasion.choices.usual}`)));
  await submit(occasion.day);
  expect([server.config.footer_text, footer()]).toEqual([null, occasion.preview + usual]);
});

test('saves the dress, previews the contact and copies the site address', async () => {
  const server = await openStoringPage(EVENING);
  await click(field(/Alba sul mare$/));
  await submit(texts.contact.label);
  expect(server.config.dress).toBe('alba');
  expect(section(texts.contact.title).textContent).toContain(experienceTexts.contact('@marco'));
  write(texts.contact.label, ' ');
  await pass(0);
  expect(section(texts.contact.title).textContent).toContain(experienceTexts.noContact);
  const address = () => section(texts.address.title).textContent;
  expect(address()).toContain(`https://sorpresa.example/${texts.address.set}`);
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(texts.address.copy);
  expect(writeText.mock.lastCall).toEqual(['https://sorpresa.example/']);
  await openPage(EVENING, { me: { ...defaults.me, public_url: null } });
  expect(address()).toContain(siteAddressTexts.notices.lead);
  expect(address()).toContain(texts.address.found);
});

test('saves the first trip’s questions only if both are filled in, the second trip’s in any case', async () => {
  const server = await openStoringPage('/admin/checkbox', {}, { domanda_1: null, domanda_2: null });
  const { prima, seconda } = questionsTexts.fields;
  const blocked = () => control(formTexts.save).hasAttribute('disabled');
  expect([blocked(), phone(questionsTexts.preview)]).toEqual([true, questionsTexts.previewEmpty]);
  write(prima, 'Partiamo?');
  write(seconda, '   ');
  await pass(2_000);
  expect(blocked()).toBe(true);
  expect(sent('questions.save')).toEqual([]);
  expect(pageText()).toContain(questionsTexts.required);
  write(seconda, 'Al mare, {nome}?');
  await pass(400);
  expect([blocked(), phone(questionsTexts.preview)]).toEqual([false, expect.stringContaining('Partiamo?')]);
  await pass(4_000);
  expect(phone(questionsTexts.preview)).toContain('Al mare, nome-suo?');
  expect(server.questions).toMatchObject({ domanda_1: 'Partiamo?', domanda_2: 'Al mare, {nome}?' });
  // A suggestion fills both questions, and can be undone.
  const [idea = expect.unreachable()] = questionIdeas[1];
  await press(idea.join(''));
  expect([field(prima).value, field(seconda).value]).toEqual([...idea]);
  expect(document.activeElement).toBe(field(prima));
  write(seconda, 'Mia');
  await undo();
  expect(field(prima).value).toBe('Partiamo?');
  expect(field(seconda).value).toBe('Mia');
  expect(takeNotices()).toEqual([suggestionTexts.changed]);

  await openPage('/admin/second-trip-checkbox', server.answers);
  write(prima, '');
  await submit(prima);
  expect(server.questions.domanda_1_viaggio_2).toBeNull();
  expect(pageText()).toContain(questionsTexts.secondNeedsBoth);
});

test('saves the closing phrases, previews the focused one and restores emptied ones', async () => {
  const server = storingServer();
  const { fields } = finalPhrasesTexts;
  await openPage('/admin/frasi-finali', server.answers);
  expect(pageText()).toContain(finalPhrasesTexts.unseen.title);
  expect(phone(fields.entrambi_si)).toContain('finale-si');
  fireEvent.focus(field(fields.misto));
  expect(phone(fields.misto)).toContain('finale-misto');
  const [idea = ''] = closingIdeas.entrambi_no;
  await press(idea);
  expect([field(fields.entrambi_no).value, takeNotices()]).toEqual([idea, [suggestionTexts.inserted]]);
  await submit(fields.misto);
  expect([server.config.frasi_finali?.entrambi_no, takeNotices()]).toEqual([idea, [finalPhrasesTexts.saved]]);
  answerWith({
    'config.save': ({ versione }) => ({ versione: versione + 1, bin: ['b1', 'b2'] }),
    'bin.restore': ({ id }) => (id === 'b2' ? refused('BIN_LIST_FULL') : { came: 'back' as const }),
  });
  write(fields.misto, '');
  await pass(1_000);
  expect(takeNotices()).toEqual(['Testi svuotati']);
  write(fields.misto, 'x');
  await submit(fields.misto);
  await undo();
  expect(sent('bin.restore')).toEqual([{ id: 'b1' }, { id: 'b2' }]);
  expect(takeNotices()).toEqual([`✗ ${sentence('BIN_LIST_FULL')}`]);
});

test('saves changes when the page is left, and asks only if they can’t be saved', async () => {
  const label = 'Istruzioni';
  const server = storingServer();
  const { leave: leaveTexts } = formTexts;
  const open = () => openPage('/admin/ticket-instruction', server.answers);
  const first = await open();
  write(label, 'Poi torna.');
  await press(commonTexts.back);
  expect([first.at().pathname, server.config.testo_istruzioni_biglietti, sent('config.save').length]).toEqual(
    ['/admin/dashboard', 'Poi torna.', 1],
  );
  const second = await open();
  write(label, '');
  await press(commonTexts.back);
  expect(dialog().textContent).toContain(leaveTexts.question);
  expect(dialog().textContent).not.toContain(leaveTexts.saveAndLeave);
  await press(leaveTexts.stay, dialog());
  expect(await dialogs()).toBe(0);
  expect(second.at().pathname).toBe('/admin/ticket-instruction');
  expect(field(label).value).toBe('');
  const unloadEvent = new Event('beforeunload', { cancelable: true });
  dispatchEvent(unloadEvent);
  expect(unloadEvent.defaultPrevented).toBe(true);
  answerWith({ 'config.save': offline });
  write(label, 'Senza rete');
  await pass(1_000);
  await press(commonTexts.back);
  answerWith(server.answers);
  await press(leaveTexts.saveAndLeave, dialog());
  expect(second.at().pathname).toBe('/admin/dashboard');
  expect(server.config.testo_istruzioni_biglietti).toBe('Senza rete');
  const third = await open();
  write(label, ' ');
  await press(commonTexts.back);
  await press(leaveTexts.leave, dialog());
  expect(third.at().pathname).toBe('/admin/dashboard');
  expect(sent('config.save')).toEqual([]);
  expect(sessionStorage.length).toBe(0);
});

test('shows each part of the configuration with a link to its page', async () => {
  await openPage('/admin/preview');
  const cards = previewCardTexts;
  for (const [title, ...parts] of [
    [cards.video.title, `${cards.video.speed}1×${cards.video.button}Comincia`],
    [cards.prePhrases.title, '2 frasi · 6 secondi ciascuna', 'prima-unoprima-due'],
    [cards.trip.title[1], 'partenza-uno', 'ritorno-uno', 'meta-uno', 'istruzioni-uno'],
    [cards.trip.title[2], 'partenza-due', 'meta-due', 'istruzioni-due'],
    [cards.questions.title[2], 'domanda-tre', 'domanda-quattro'],
    [cards.closing.title, `${cards.closing.both.misto}finale-misto`, cards.closing.skipped],
    [cards.finalPhrases.title, 'addio-due'],
    [cards.evening.title, '30 giugno 2026', '@marco', previewTexts.missing.feminine],
    [cards.notifications.title, '••••1234', '4711', previewTexts.missing.feminine],
  ] as const)
    for (const part of parts) expect(section(title).textContent).toContain(part);
  const way = (title: string) => control(previewTexts.edit, section(title)).getAttribute('href');
  expect([cards.postPhrases.title, cards.song.title].map(way)).toEqual([
    '/admin/frasi#frasi',
    '/admin/musica',
  ]);
  expect(alerts()).toEqual([]);
  // The film strip shows all scenes, the selected one enlarged.
  const strip = document.querySelector(`[aria-label="${filmStripTexts.strip}"]`) ?? expect.unreachable();
  const total = strip.querySelectorAll('li').length;
  await press('Domande', strip);
  expect(phone(`Domande · ${filmStripTexts.place(5, total)}`)).toContain('domanda-uno');

  const bare = { ...NO_SECOND_TRIP, video_url: null, frasi: [' '], canzone_url: null, frasi_finali: null };
  await openPage('/admin/preview', { 'config.read': config(bare) });
  expect(alerts()).toEqual([
    previewTexts.incomplete +
      previewTexts.incompleteHint +
      readinessSentences.main_video.lacks +
      readinessSentences.post_phrases.lacks,
  ]);
  for (const part of [
    cards.video.configure,
    cards.postPhrases.add,
    filmStripTexts.needsVideo,
    cards.noSecondTrip.title,
    '1 frase vuota non verrà mostrata',
  ])
    expect(pageText()).toContain(part);
  // A single trip has three closing phrases.
  await openPage('/admin/preview', { 'config.read': config(NO_SECOND_TRIP) });
  await press('Chiusura');
  const last = () => [...document.querySelectorAll('[data-phone^="Chiusura ·"]')].at(-1)?.textContent;
  expect(last()).toContain('finale-si');
  await click(field(cards.closing.both.entrambi_no));
  expect(last()).toContain('finale-no');
});

test('switches the second trip off and on again, with all that is prepared for it', async () => {
  const server = storingServer();
  const { label, on, off, unset, parts } = secondTripSwitchTexts;
  const isOn = () => field(label).checked;
  const links = () =>
    [...document.querySelectorAll(`[aria-label="${parts}"] a`)].map((link) => link.textContent);
  await openPage(SECOND_TRIP, server.answers);
  expect([isOn(), pageText()]).toEqual([true, expect.stringContaining(on)]);
  expect(links()).toHaveLength(7);
  expect(links().slice(0, 3)).toEqual([
    'Frasi tra i viaggi1 frase',
    'Frasi del secondo viaggio2 frasi',
    'Immaginefatto',
  ]);
  // Wins over a concurrent choice, and keeps other changes.
  server.elsewhere('config', { secondo_viaggio: true, titolo_viaggio_2: 'Neve' });
  await click(field(label));
  expect([isOn(), server.config]).toEqual([
    false,
    { ...config(), versione: 9, secondo_viaggio: false, titolo_viaggio_2: 'Neve' },
  ]);
  expect(pageText()).toContain(off + commonTexts.saveStates.saved);
  expect([links(), document.querySelectorAll('form').length, takeNotices()]).toEqual([[], 0, []]);
  await openPage('/admin/preview', server.answers);
  expect(pageText()).toContain(previewCardTexts.noSecondTrip.title);
  expect(pageText()).not.toContain('secondo-uno');
  expect(control(previewCardTexts.noSecondTrip.add).getAttribute('href')).toBe(SECOND_TRIP);
  await openPage('/admin/frasi-finali', server.answers);
  expect(pageText()).not.toContain(finalPhrasesTexts.unseen.title);
  await openPage('/admin/second-trip-phrases', server.answers);
  expect(pageText()).toContain(secondTripUnseenTexts.hint);
  expect(control('Dettagli secondo viaggio').getAttribute('href')).toBe(SECOND_TRIP);
  await openPage(SECOND_TRIP, server.answers);
  answerWith({ 'config.save': unreadable });
  await click(field(label));
  expect([isOn(), takeNotices()]).toEqual([false, ['✗ Errore durante il salvataggio']]);
  answerWith(server.answers);
  await click(field(label));
  expect([isOn(), field('Titolo secondo viaggio').value]).toEqual([true, 'Neve']);
  await openPage(SECOND_TRIP, storingServer({ ...NO_SECOND_TRIP, titolo_viaggio_2: ' ' }).answers);
  expect([isOn(), pageText()]).toEqual([false, expect.stringContaining(unset)]);
  expect(links()[0]).toBe(`Frasi tra i viaggi${checklistTexts.optional}`);
  expect(links()[2]).toBe(`Immagine${checklistTexts.states.missing}`);
});

test('opens the rehearsal on a phone with a pass, and revokes the pass', async () => {
  const rehearsal = rehearsalTexts;
  const pass1 = {
    pass: 'segreto',
    scadenza: '2026-06-10T19:00:00.000Z',
    public_url: 'https://sorpresa.example',
  };
  await openPage('/admin/preview', { 'rehearsal.pass': pass1 });
  expect(control(rehearsal.here).getAttribute('href')).toBe('/prova');
  await press(rehearsal.onPhone);
  expect(field(rehearsal.linkLabel).value).toBe('https://sorpresa.example/prova#segreto');
  expect(sent('rehearsal.pass')).toEqual([{}]);
  answerWith({ 'rehearsal.pass': { ...pass1, pass: 'altro' } });
  await press(rehearsal.newPass, dialog());
  expect(sent('rehearsal.pass').at(-1)).toEqual({ anew: true });
  expect(field(rehearsal.linkLabel).value).toBe('https://sorpresa.example/prova#altro');
  await expectNotices('rehearsal.close', () => press(rehearsal.closePhone, dialog()), [
    [unreadable, `✗ ${rehearsal.closeFailed}`],
    [{}, rehearsal.phoneClosed],
  ]);
  expect(dialog().textContent).toContain(rehearsal.phoneClosed);
  await openPage('/admin/preview', { 'rehearsal.openUntil': { scadenza: pass1.scadenza } });
  expect(pageText()).toContain(rehearsal.phoneOpen(pass1.scadenza));
  await pass(3_600_000);
  expect(pageText()).not.toContain(rehearsal.phoneOpen(pass1.scadenza));
});
