import { fireEvent } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PHRASE_LISTS } from '../../src/domain/configuration.ts';
import { commonTexts, formTexts, secondTripUnseenTexts } from '../../src/texts/admin/forms.ts';
import { phraseIdeas, suggestionTexts, phraseListTexts as texts } from '../../src/texts/admin/phrases.ts';
import { phoneTexts } from '../../src/texts/admin/preview.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { offline, storingServer, unreadable } from '../support/admin-answers.ts';
import { becomes, click, leave, networkReturns, press, undo, write } from '../support/admin-hand.ts';
import { alerts, control, dialog, field, pageText, phone } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';
import { NO_SECOND_TRIP } from '../support/evenings.ts';

const PHRASES = '/admin/frasi';
const { actions } = texts;
const box = (place: number) => field(texts.item(place));
const shown = () =>
  [...document.querySelectorAll<HTMLTextAreaElement>('ol textarea:not([aria-hidden])')].map(
    ({ value }) => value,
  );

async function add(text: string): Promise<void> {
  write(texts.add, text);
  await press(texts.addButton);
}

async function paste(text: string, label: string = texts.add): Promise<void> {
  fireEvent.paste(field(label), { clipboardData: { getData: () => text } });
  await pass(0);
}

test('adds, edits, moves and removes phrases, with automatic saving and undo', async () => {
  const server = storingServer({ frasi_pre_video: [] });
  const stored = () => server.config.frasi_pre_video;
  await openPage(PHRASES, server.answers);
  expect(pageText()).toContain(texts.empty.title + texts.empty.hint);
  expect(field(texts.add).getAttribute('dir')).toBe('auto');
  expect(phone(texts.previews.frasi_pre_video)).toBe('Senza frasi questo momento viene saltato.');
  // This page has no «Salva»: everything saves itself.
  expect([...document.querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContain(
    commonTexts.saveStates.saved,
  );
  await add('   ');
  expect([takeNotices(), sent('config.save')]).toEqual([[`✗ ${texts.blank}`], []]);
  expect(pageText()).toContain(texts.blank);
  // The phone shows the phrase as it is written.
  write(texts.add, '  Un  ');
  await pass(350);
  expect(phone(texts.previews.frasi_pre_video)).toContain('Un 1 / 1');
  await add('  Uno  ');
  expect([stored(), takeNotices(), field(texts.add).value]).toEqual([['Uno'], [texts.added], '']);
  // The new row is directly above the box, which keeps the focus for the next phrase.
  expect(document.activeElement).toBe(field(texts.add));
  expect(box(1).compareDocumentPosition(field(texts.add))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(sent('config.save')[0]).toEqual({
    versione: 7,
    fields: {
      frasi_pre_video: ['Uno'],
      frasi: ['dopo-uno', 'dopo-due'],
      frasi_secondi_esatti: [],
      durata_frase_secondi: 6,
    },
  });
  write(texts.add, 'Due');
  fireEvent.keyDown(field(texts.add), { key: 'Enter', shiftKey: true });
  await pass(0);
  expect(stored()).toEqual(['Uno']);
  fireEvent.keyDown(field(texts.add), { key: 'Enter' });
  await pass(0);
  expect([stored(), takeNotices()]).toEqual([['Uno', 'Due'], [texts.added]]);
  // An immediate second Enter adds nothing.
  fireEvent.keyDown(field(texts.add), { key: 'Enter' });
  await pass(0);
  expect(takeNotices()).toEqual([]);
  expect(control(/^Frasi Pre-Video/).textContent).toBe(`${texts.lists.frasi_pre_video}2`);

  write(texts.item(2), 'Due, meglio');
  await pass(350);
  expect(pageText()).toContain(commonTexts.saveStates.pending);
  expect(phone(texts.previews.frasi_pre_video)).toContain('Due, meglio');
  await pass(700);
  expect(stored()).toEqual(['Uno', 'Due, meglio']);
  expect(takeNotices()).toEqual([]);
  expect(pageText()).toContain(commonTexts.saveStates.saved);
  await press(actions.down('Uno'));
  expect(stored()).toEqual(['Due, meglio', 'Uno']);
  expect(takeNotices()).toEqual([texts.reordered]);
  expect(document.activeElement).toBe(control(actions.down('Uno')));
  // At the end of the list a move does nothing.
  await press(actions.down('Uno'));
  await press(actions.up('Due, meglio'));
  expect([sent('config.save').length, takeNotices()]).toEqual([4, []]);
  await press(actions.up('Uno'));
  await undo();
  expect([stored(), takeNotices()]).toEqual([['Due, meglio', 'Uno'], [texts.undone]]);
  await press(actions.remove('Due, meglio'));
  expect([stored(), document.activeElement]).toEqual([['Uno'], control(actions.remove('Uno'))]);
  await undo();
  expect([stored(), takeNotices()]).toEqual([['Due, meglio', 'Uno'], [texts.undone]]);

  // What is added during a save goes with the next save.
  const saves = sent('config.save').length;
  for (const text of ['Tre', 'Quattro', 'Cinque']) {
    write(texts.add, text);
    fireEvent.keyDown(field(texts.add), { key: 'Enter' });
  }
  await pass(0);
  expect(sent('config.save').length).toBe(saves + 2);
  expect([stored(), takeNotices().length]).toEqual([['Due, meglio', 'Uno', 'Tre', 'Quattro', 'Cinque'], 3]);

  await press(/^Frasi Post-Video/);
  await add('Dopo');
  expect([server.config.frasi, stored().length]).toEqual([['dopo-uno', 'dopo-due', 'Dopo'], 5]);
  await pass(350);
  expect(phone(texts.previews.frasi)).toContain('Dopo');
});

test('saves seconds from 3 to 15, 6 for unreadable input, and the lists that use them exactly', async () => {
  const server = await openStoringPage(PHRASES, { frasi_pre_video: ['Breve', 'x'.repeat(240)] });
  for (const [typed, expected] of [
    ['8', 8],
    ['99', 15],
    ['1', 3],
    ['', 6],
    ['3', 3],
    ['15', 15],
  ] as const) {
    write(texts.seconds, typed);
    await leave(texts.seconds);
    expect(server.config.durata_frase_secondi).toEqual(expected);
    expect(field(texts.seconds).value).toEqual(String(expected));
    expect(takeNotices()).toEqual([texts.secondsSaved]);
  }
  write(texts.seconds, '7');
  await pass(600);
  expect(server.config.durata_frase_secondi).toBe(15);
  await pass(150);
  expect(server.config.durata_frase_secondi).toBe(7);
  // An incomplete number is not saved before blur.
  write(texts.seconds, '1');
  await pass(800);
  expect(server.config.durata_frase_secondi).toBe(7);
  await leave(texts.seconds);
  expect(pageText().match(/resta \d+ s(?!e)/g)).toEqual(['resta 22 s']);
  takeNotices();
  await click(field(new RegExp(`^${texts.exact}`)));
  expect(server.config.frasi_secondi_esatti).toEqual(['frasi_pre_video']);
  expect(takeNotices()).toEqual([texts.secondsSaved]);
  expect(pageText().match(/resta \d+ s(?!e)/g)).toBeNull();
  await openPage('/admin/second-trip-phrases', server.answers);
  expect(pageText()).toContain(texts.secondsElsewhere(3));
  await click(field(new RegExp(`^${texts.exact}`)));
  expect(server.config.frasi_secondi_esatti).toEqual(['frasi_pre_video', 'frasi_secondo_viaggio']);
  expect(sent('config.save').at(-1)).toMatchObject({
    fields: { frasi_secondo_viaggio: ['secondo-uno', 'secondo-due'] },
  });
  expect(JSON.stringify(sent('config.save'))).not.toContain('durata_frase_secondi');
});

test('marks an unsaved phrase, and saves it when the network returns', async () => {
  const server = await openStoringPage(PHRASES, { frasi_pre_video: ['Prima'] });
  answerWith({ 'config.save': unreadable });
  await add('Nuova');
  expect(takeNotices()).toEqual([`✗ ${texts.saveFailed}`]);
  expect(alerts()).toContain(formTexts.notSaved + texts.saveFailed + formTexts.retry);
  const rows = () =>
    [...document.querySelectorAll('ol li')].map(({ textContent }) => textContent.includes(texts.notSaved));
  expect(rows()).toEqual([false, true]);
  // Another window saves in between; neither change is lost.
  server.elsewhere('config', { frasi_pre_video: ['Prima', 'Loro'] });
  await becomes('visible');
  expect(shown()).toEqual(['Prima', 'Nuova']);
  answerWith(server.answers);
  await press(formTexts.retry);
  expect(server.config.frasi_pre_video).toEqual(['Prima', 'Loro', 'Nuova']);
  expect(takeNotices()).toEqual([texts.added]);
  expect(rows()).toEqual([false, false, false]);
  answerWith({ 'config.save': offline });
  write(texts.item(1), 'Prima, meglio');
  await pass(1_000);
  expect(takeNotices()).toEqual([`✗ ${networkTexts.offline}`]);
  answerWith(server.answers);
  await networkReturns();
  expect(server.config.frasi_pre_video[0]).toBe('Prima, meglio');
});

test('offers an earlier page’s draft, and asks before leaving with a phrase not yet added', async () => {
  const server = storingServer({ frasi_pre_video: ['Prima'] });
  const left = {
    values: { ...draftOf(server.config), frasi_pre_video: ['Prima', 'Persa'] },
    before: draftOf(server.config),
    versione: 7,
  };
  const { at } = await openPage(PHRASES, server.answers, {
    kept: { 'bozza:frasi': left, 'bozza:frasi:frasi': 'A metà' },
  });
  expect(shown()).toEqual(['Prima']);
  await press(formTexts.draft.restore);
  expect([server.config.frasi_pre_video, takeNotices()]).toEqual([['Prima', 'Persa'], [texts.undone]]);
  await press(commonTexts.back);
  expect(at().pathname).toEqual(PHRASES);
  expect(dialog().textContent).toContain(formTexts.leave.question);
  await press(formTexts.leave.saveAndLeave, dialog());
  expect(at().pathname).toBe('/admin/dashboard');
  expect(server.config.frasi).toEqual(['dopo-uno', 'dopo-due', 'A metà']);

  expect(sessionStorage.length).toBe(0);
  // The next page is rendered without an error.
  expect(pageText()).toBe('');
});

/** Returns the fields of a configuration that the page's draft contains. */
function draftOf(config: ReturnType<typeof storingServer>['config']) {
  const { durata_frase_secondi, frasi_secondi_esatti } = config;
  const lists = Object.fromEntries(PHRASE_LISTS.map((list) => [list, config[list]]));
  return { ...lists, durata_frase_secondi, frasi_secondi_esatti };
}

test('asks whether pasted lines are one phrase or several, and adds them together', async () => {
  const server = await openStoringPage(PHRASES, { frasi_pre_video: [], frasi_tra_viaggi: ['', 'Resta'] });
  const { pasted } = texts;
  await paste('Una riga');
  expect(pageText()).not.toContain('Hai incollato');
  await paste('Uno\r\ne mezzo\n\nDue\n \nTre');
  expect(document.activeElement?.textContent).toBe(pasted.paragraphs(3));
  expect(pageText()).toContain(pasted.title(4) + 'Uno');
  await press(pasted.paragraphs(3));
  expect(server.config.frasi_pre_video).toEqual(['Uno\ne mezzo', 'Due', 'Tre']);
  expect(takeNotices()).toEqual([texts.addedSeveral(3)]);
  await paste('Quattro\nCinque');
  await press(pasted.lines(2));
  await undo();
  expect(server.config.frasi_pre_video).toEqual(['Uno\ne mezzo', 'Due', 'Tre']);
  await paste('Sei\nSette');
  await press(pasted.one());
  expect(server.config.frasi_pre_video.at(-1)).toBe('Sei\nSette');
  await paste('Via\nVia');
  await press(pasted.close);
  expect(server.config.frasi_pre_video.length).toBe(4);

  // Pastes into an empty phrase of a list that allows blank phrases.
  const { at } = await openPage('/admin/intermediate-phrases', server.answers);
  expect(pageText()).toContain(texts.blankHint);
  await paste('A\nB', texts.item(1));
  await press(pasted.lines(2));
  expect(server.config.frasi_tra_viaggi).toEqual(['A', 'B', 'Resta']);
  await press(texts.addButton);
  expect([server.config.frasi_tra_viaggi.at(-1), document.activeElement]).toEqual(['', box(4)]);
  // Leaving with an undecided paste asks first, and loses nothing.
  await paste('C\nD');
  await press(commonTexts.back);
  await press(formTexts.leave.saveAndLeave, dialog());
  expect([at().pathname, server.config.frasi_tra_viaggi.slice(-2)]).toEqual(['/admin/dashboard', ['C', 'D']]);
});

test('opens a suggested phrase for editing, and undoes it unless it was edited', async () => {
  const server = storingServer({ frasi_pre_video: [] });
  const [idea = ''] = phraseIdeas.frasi_pre_video;
  await openPage(PHRASES, server.answers);
  await press(idea);
  expect(server.config.frasi_pre_video).toEqual([idea]);
  expect([document.activeElement, box(1).selectionStart]).toEqual([box(1), idea.length]);
  expect(pageText()).toContain(suggestionTexts.title);
  await undo();
  expect(server.config.frasi_pre_video).toEqual([]);
  await press(idea);
  write(texts.item(1), 'Mia');
  await undo();
  expect(takeNotices()).toContain(suggestionTexts.changed);
  expect(shown()).toEqual(['Mia']);
});

test('enlarges the phone at the edited phrase, and replays all from the first', async () => {
  await openStoringPage(PHRASES, { frasi_pre_video: ['Uno', 'Due', 'Tre'] });
  const large = () => dialog().querySelector('[data-phone]')?.textContent;
  fireEvent.focus(box(2));
  await press(phoneTexts.enlarge);
  expect(large()).toContain('Due 2 / 3');
  await press(phoneTexts.replay, dialog());
  expect(large()).toContain('Uno 1 / 3');
});

test.each([
  '/admin/intermediate-phrases',
  '/admin/second-trip-phrases',
  '/admin/second-trip-final-phrases',
  '/admin/second-trip-checkbox',
])('confirms on %s by «Salvato», and warns if its texts are not shown', async (path) => {
  await openStoringPage(path, { ...NO_SECOND_TRIP, frasi_tra_viaggi: ['tra'] });
  expect(pageText()).toContain(secondTripUnseenTexts.title);
  await press(commonTexts.saveStates.saved);
  expect(takeNotices()).toEqual([expect.stringMatching(/salvate con successo/)]);
  await openPage(path);
  expect(pageText()).not.toContain(secondTripUnseenTexts.title);
});
