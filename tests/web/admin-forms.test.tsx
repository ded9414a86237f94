import { fireEvent } from '@testing-library/react';
import { expect, test } from 'vitest';
import { commonTexts, formTexts, videoButtonTexts } from '../../src/texts/admin/forms.ts';
import { secondTripTexts as details } from '../../src/texts/admin/media.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { offline, refused, sentence, storingServer, unreadable } from '../support/admin-answers.ts';
import { becomes, leave, networkReturns, press, submit, write } from '../support/admin-hand.ts';
import { alerts, control, field, pageText, section } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

/** Behaviour of every form: automatic saving, validation, conflicting edits and drafts. */

const { conflict } = formTexts;
const { saveStates } = commonTexts;
/** Delay of automatic saving after the last input, in ms. */
const WRITING_MS = 1_000;

/** Each form: its page, a field's label, and its name in the record. */
const ROWS = [
  ['/admin/video-button', 'Testo del pulsante', 'video_button_text'],
  ['/admin/immagine', 'Titolo della destinazione', 'titolo_destinazione'],
  ['/admin/ticket-instruction', 'Istruzioni', 'testo_istruzioni_biglietti'],
  ['/admin/immagine', 'Data di ritorno', 'data_ritorno'],
  ['/admin/second-trip-details', 'Titolo secondo viaggio', 'titolo_viaggio_2'],
  ['/admin/checkbox', 'Prima domanda', 'domanda_1'],
  ['/admin/second-trip-checkbox', 'Seconda domanda', 'domanda_2_viaggio_2'],
  ['/admin/serata', 'Nome da contattare', 'contatto'],
] as const;
const recordOf = (name: string) => (name.startsWith('domanda') ? 'questions' : 'config');
const texts = { mine: 'Il mio', later: 'Poi', theirs: 'Il suo' };

test.each(ROWS)(
  'saves on %s «%s» automatically, by «Salva» and after a failure',
  async (path, label, name) => {
    const server = storingServer();
    const of = recordOf(name);
    const save = `${of}.save` as const;
    const stored = () => Reflect.get(server[of], name);
    // A form with dates saves on blur.
    const waits = path === '/admin/serata';
    await openPage(path, server.answers);
    const buttons = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
    const hasButton = path !== '/admin/serata';
    expect([buttons().includes(saveStates.saved), buttons().includes(formTexts.save)]).toEqual([
      hasButton,
      false,
    ]);
    fireEvent.focus(field(label));
    expect(pageText()).not.toContain(saveStates.unsaved);
    write(label, `  ${texts.mine} `);
    await pass(WRITING_MS - 50);
    expect([sent(save), buttons().includes(formTexts.save)]).toEqual([[], hasButton]);
    if (waits) await pass(5_000);
    // A change that is going to be saved by itself is not called unsaved.
    expect(pageText()).toContain(saveStates.pending);
    expect([sent(save), pageText().includes(saveStates.unsaved)]).toEqual([[], false]);
    if (waits) await leave(label);
    else await pass(50);
    // Saves trimmed text without a notice; the field shows its spaces during input.
    const trimmed = path.includes('ticket') ? `  ${texts.mine} ` : texts.mine;
    expect(sent(save).length).toBe(1);
    expect(stored()).toEqual(trimmed);
    expect(takeNotices()).toEqual([]);
    expect(field(label).value).toBe(`  ${texts.mine} `);
    answerWith({ [save]: unreadable });
    write(label, texts.later);
    await submit(label);
    const [failed = ''] = takeNotices();
    expect(failed).toMatch(/^✗ (Errore|Impossibile)/);
    expect(alerts().at(-1)).toEqual(formTexts.notSaved + failed.slice(2) + formTexts.retry);
    expect(stored()).toEqual(trimmed);
    answerWith(server.answers);
    await press(formTexts.retry);
    expect([stored(), pageText().includes(formTexts.notSaved)]).toEqual([texts.later, false]);
    expect(takeNotices()).toEqual([expect.stringMatching(/salvat[oaie]/)]);
    expect([pageText().includes(saveStates.saved), buttons().includes(formTexts.save)]).toEqual([
      true,
      false,
    ]);
  },
);

test.each([ROWS[0], ROWS[5]])(
  'preserves on %s both versions of «%s» after conflicting edits',
  async (path, label, name) => {
    const server = storingServer();
    const of = recordOf(name);
    const stored = () => Reflect.get(server[of], name);
    await openPage(path, server.answers);
    const both = async (mine: string) => {
      server.elsewhere(of, { [name]: texts.theirs });
      write(label, mine);
      await submit(label);
    };
    await both(texts.later);
    expect([stored(), takeNotices()]).toEqual([texts.theirs, []]);
    for (const text of [conflict.title, conflict.hint, texts.later, texts.theirs, saveStates.conflict])
      expect(pageText()).toContain(text);
    await press(conflict.keepMine);
    expect([stored(), takeNotices().length]).toEqual([texts.later, 1]);
    await both(texts.mine);
    await press(conflict.useTheirs);
    expect(stored()).toEqual(texts.theirs);
    expect(field(label).value).toEqual(texts.theirs);
    expect(pageText().includes(conflict.title)).toBe(false);
  },
);

const PATH = '/admin/video-button';
const LABEL = videoButtonTexts.field;
const DRAFT = 'bozza:video-button';

test('saves on blur, when the page is hidden and when the network returns', async () => {
  const server = await openStoringPage(PATH);
  for (const [saves, act] of [() => leave(LABEL), () => becomes('hidden'), networkReturns].entries()) {
    await act();
    // Nothing is unsaved yet.
    expect(sent('config.save').length).toBe(saves);
    write(LABEL, `Vai ${saves}`);
    await act();
    expect(sent('config.save').length).toEqual(saves + 1);
    expect(server.config.video_button_text).toBe(`Vai ${saves}`);
  }
  write(LABEL, 'Vai 2 ');
  await pass(5_000);
  expect([sent('config.save').length, takeNotices()]).toEqual([3, []]);
  // A manual save during an automatic one sends no second request, and reports the result.
  write(LABEL, 'Vieni');
  fireEvent.blur(field(LABEL));
  await submit(LABEL);
  expect([sent('config.save').length, takeNotices()]).toEqual([4, [videoButtonTexts.saved]]);
});

test('shows a validation error at its field, and as a notice after Enter', async () => {
  await openStoringPage(PATH);
  const enter = (key = 'Enter') => {
    fireEvent.keyDown(field(LABEL), { key });
    return pass(0);
  };
  await enter();
  write(LABEL, ' ');
  await pass(5_000);
  const { blank } = videoButtonTexts;
  expect([sent('config.save'), takeNotices(), pageText().split(blank).length - 1]).toEqual([[], [], 2]);
  expect([
    control(formTexts.save).hasAttribute('disabled'),
    field(LABEL).getAttribute('aria-invalid'),
  ]).toEqual([true, 'true']);
  await enter('a');
  expect(takeNotices()).toEqual([]);
  await enter();
  expect([takeNotices(), document.activeElement]).toEqual([[`✗ ${blank}`], field(LABEL)]);
  write(LABEL, 'Vai');
  await pass(0);
  expect(pageText()).not.toContain(blank);
  // A counter appears near the maximum length.
  write(LABEL, 'x'.repeat(100));
  await pass(0);
  expect(pageText()).toMatch(/100 \/ \d+/);
});

test('reports a lasting failure once, and retries after input, on network return or manually', async () => {
  const server = storingServer();
  await openPage(PATH, { ...server.answers, 'config.save': offline });
  write(LABEL, 'Vai');
  await pass(1_000);
  expect(takeNotices()).toEqual([`✗ ${networkTexts.offline}`]);
  expect(pageText()).toContain(saveStates.unsaved);
  await pass(60_000);
  await leave(LABEL);
  await becomes('hidden');
  expect(sent('config.save').length).toBe(1);
  write(LABEL, 'Vai ora');
  await pass(1_000);
  await networkReturns();
  expect([sent('config.save').length, takeNotices()]).toEqual([3, []]);
  await submit(LABEL);
  expect([sent('config.save').length, takeNotices()]).toEqual([4, [`✗ ${networkTexts.offline}`]]);
  answerWith(server.answers);
  await networkReturns();
  expect(server.config.video_button_text).toBe('Vai ora');
  expect(pageText()).toContain(commonTexts.saveStates.saved);
  // A record that others change all the time is tried five times.
  answerWith({ 'config.save': refused('STALE_VERSION') });
  write(LABEL, 'Vieni');
  await submit(LABEL);
  expect([sent('config.save').length, takeNotices()]).toEqual([10, [`✗ ${sentence('STALE_VERSION')}`]]);
  // If the saved record no longer exists, a separate message is shown and the record is read again.
  const reads = sent('config.read').length;
  answerWith({ 'config.save': refused('NOT_FOUND') });
  write(LABEL, 'Via');
  await pass(1_000);
  expect([takeNotices(), sent('config.read').length]).toEqual([[`✗ ${formTexts.notFound}`], reads + 1]);
});

test('adopts newer values if nothing is unsaved, and resolves conflicts field by field', async () => {
  const server = storingServer();
  const [first, second] = [details.titolo_destinazione_2, details.titolo_viaggio_2];
  await openPage('/admin/second-trip-details', server.answers);
  server.elsewhere('config', { titolo_destinazione_2: 'Loro' });
  await becomes('visible');
  expect(field(first).value).toBe('Loro');
  write(first, 'Mio');
  // The save also adopts changes that others made to other fields, and the same change to this one.
  server.elsewhere('config', { titolo_destinazione_2: 'Mio', titolo_viaggio_2: 'Altro' });
  await pass(1_000);
  expect([server.config.titolo_destinazione_2, field(second).value, takeNotices()]).toEqual([
    'Mio',
    'Altro',
    [],
  ]);
  write(first, 'Mio, due');
  write(second, 'Mio, tre');
  server.elsewhere('config', { titolo_destinazione_2: 'Loro, due', titolo_viaggio_2: 'Loro, tre' });
  await pass(1_000);
  const saves = sent('config.save').length;
  const choice = (label: string) =>
    document.querySelector(`[role="group"][aria-label="${label}"]`) ?? expect.unreachable(label);
  await press(formTexts.conflict.useTheirs, choice(second));
  await pass(5_000);
  expect(sent('config.save').length).toBe(saves);
  await press(formTexts.conflict.keepMine, choice(first));
  expect(server.config.titolo_destinazione_2).toBe('Mio, due');
  expect(server.config.titolo_viaggio_2).toBe('Loro, tre');
  expect(section('Titoli, date e istruzioni').textContent).not.toContain(formTexts.conflict.title);
});

const draft = (more: object = {}) => ({
  values: { video_button_text: 'Bozza' },
  before: { video_button_text: 'Comincia' },
  versione: 7,
  ...more,
});

test('stores a draft for a reload, offers it and deletes it after saving', async () => {
  const server = await openStoringPage(PATH);
  write(LABEL, 'Vai');
  await pass(0);
  expect(JSON.parse(sessionStorage.getItem(DRAFT) ?? '')).toEqual(
    draft({ values: { video_button_text: 'Vai' } }),
  );
  await pass(1_000);
  expect(sessionStorage.length).toBe(0);

  const left = draft({ before: { video_button_text: 'Vai' }, versione: 8 });
  await openPage(PATH, server.answers, { kept: { [DRAFT]: left } });
  expect([pageText(), field(LABEL).value]).toEqual([expect.stringContaining(formTexts.draft.title), 'Vai']);
  await press(formTexts.draft.restore);
  expect(field(LABEL).value).toBe('Bozza');
  await pass(1_000);
  expect([server.config.video_button_text, sessionStorage.length]).toEqual(['Bozza', 0]);
  const other = draft({ values: { video_button_text: 'Altra' } });
  await openPage(PATH, server.answers, { kept: { [DRAFT]: other } });
  await press(formTexts.draft.discard);
  expect(field(LABEL).value).toBe('Bozza');
  expect(sessionStorage.length).toBe(0);
  expect(pageText().includes(formTexts.draft.title)).toBe(false);

  // A draft with an unknown version belongs to a deleted record; it is saved with the current version.
  const newServer = storingServer();
  await openPage(PATH, newServer.answers, { kept: { [DRAFT]: draft({ versione: 99 }) } });
  await press(formTexts.draft.restore);
  await pass(1_000);
  expect(sent('config.save')[0]).toEqual({ versione: 7, fields: { video_button_text: 'Bozza' } });
  expect(newServer.config.video_button_text).toBe('Bozza');
  for (const no of [
    draft({ values: { video_button_text: 'Comincia' } }),
    draft({ values: { video_button_text: 1 } }),
    draft({ values: {} }),
    draft({ before: undefined }),
    draft({ versione: '7' }),
    null,
  ]) {
    await openPage(PATH, {}, { kept: { [DRAFT]: no } });
    expect(pageText()).not.toContain(formTexts.draft.title);
  }
});
