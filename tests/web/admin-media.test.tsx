import { act, fireEvent } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MEDIA_WARNINGS } from '../../src/contract/admin/media.ts';
import { MEDIA_BYTES } from '../../src/domain/limits.ts';
import { MEDIA_SLOTS } from '../../src/domain/media.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import {
  captionsTexts,
  focusTexts,
  lightTexts,
  posterTexts,
  savedTexts,
  songPageTexts,
  tripMediaTexts,
  videoPageTexts,
} from '../../src/texts/admin/media.ts';
import { joinTexts, slotTexts, songStartTexts, ticketPageTexts } from '../../src/texts/admin/slots.ts';
import { uploadTexts } from '../../src/texts/admin/uploads.ts';
import {
  file,
  film,
  type Inputs,
  type Outputs,
  refused,
  sentence,
  storingServer,
  unreadable,
} from '../support/admin-answers.ts';
import {
  becomes,
  choose,
  click,
  expectConfirmation,
  expectNotices,
  press,
  undo,
  write,
} from '../support/admin-hand.ts';
import { alerts, control, dialog, dialogs, field, pageText, phone } from '../support/admin-look.ts';
import { answerWith, openPage, openStoringPage, pass, sent, takeNotices } from '../support/admin-page.tsx';

const cards = () => [...document.querySelectorAll('li[data-active]')].map(({ textContent }) => textContent);
const inSlot = (slot: string, items: Outputs['media.list']) => (input: Inputs['media.list']) =>
  input.slot === slot ? items : [];

test.each([
  ['/admin/video', 'video', film({ nome: 'nuovo.mp4' })],
  ['/admin/immagine', 'immagine', file({ nome: 'nuovo.jpg' })],
  ['/admin/biglietti', 'biglietti', file({ nome: 'nuovo.png' })],
  ['/admin/second-trip-details', 'immagine_2', file({ nome: 'nuovo.jpg' })],
  ['/admin/second-trip-details', 'biglietti_2', file({ nome: 'nuovo.png' })],
] as const)(
  'lists on %s the files of «%s», selects another and deletes one after a confirmation',
  async (path, slot, one) => {
    const texts = slotTexts[slot];
    const other = { ...one, id: 'altro', nome: 'altro', attivo: false };
    const items = [
      { ...one, attivo: false },
      { ...other, attivo: true },
    ];
    const chosen = { items, versione: 7 };
    await openPage(path, { 'media.list': inSlot(slot, [one, other]) });
    expect(pageText()).toContain(uploadTexts.startsAtOnce(MEDIA_SLOTS[slot].kind));
    const [active = '', second = ''] = cards();
    expect(active).toMatch(new RegExp(`^${one.nome}${savedTexts.active(slot)}`));
    expect(active).toContain(savedTexts.uploadedOn(slot, '1º giugno 2026'));
    expect(second.startsWith('altro')).toBe(true);
    expect(document.querySelectorAll(`[aria-label^="${savedTexts.choose} "]`).length).toBe(1);
    await expectNotices('media.use', () => press(savedTexts.chooseOf('altro')), [
      [unreadable, `✗ ${savedTexts.selectFailed}`],
      [chosen, texts.selected, { 'media.list': inSlot(slot, chosen.items) }],
    ]);
    expect(sent('media.use').at(-1)).toEqual({ slot, id: 'altro' });
    expect(cards()[1]).toContain(savedTexts.active(slot));

    const confirmation = { question: texts.removeQuestion + texts.removeActive, confirm: savedTexts.remove };
    await expectConfirmation(savedTexts.removeOf('altro'), 'media.remove', confirmation, [
      [unreadable, `✗ ${savedTexts.removeFailed}`],
    ]);
    await press(savedTexts.removeOf(one.nome));
    expect(dialog().textContent).toContain(texts.removeQuestion + one.nome);
    answerWith({
      'media.remove': { items: [], versione: 8, bin: 'b1' },
      'media.list': inSlot(slot, []),
      'bin.restore': { came: 'listed' },
    });
    await press(savedTexts.remove, dialog());
    expect([sent('media.remove').at(-1), cards()]).toEqual([{ slot, id: one.id }, []]);
    expect(pageText()).toContain(texts.empty + texts.emptyHint);
    await undo();
    expect(sent('bin.restore')).toEqual([{ id: 'b1' }]);
    expect(takeNotices()).toEqual([expect.stringContaining('È di nuovo nell’elenco')]);
  },
);

test('shows a film’s warnings, its size and its light version', async () => {
  const light = { on: true, state: 'made', size: 7_500_000, seconds: 60 } as const;
  const one = film({ size: 30_000_000, light, warnings: [...MEDIA_WARNINGS], poster_url: null });
  await openPage('/admin/video', { 'media.list': inSlot('video', [one]), 'light.want': unreadable });
  for (const warning of MEDIA_WARNINGS) expect(alerts()).toContain(savedTexts.warnings[warning]);
  for (const part of [
    'Video intero: 28,6 MB, con il 4G parte in 2 s',
    'Video leggero: 7,2 MB, con il 4G parte in 1 s',
    lightTexts.states.made,
  ])
    expect(pageText()).toContain(part);
  const lightSwitch = () => field(lightTexts.titleOf('film.mp4'));
  await click(lightSwitch());
  expect([takeNotices(), lightSwitch().checked]).toEqual([[`✗ ${lightTexts.changeFailed}`], true]);
  const off = { ...one, light: { ...light, on: false } };
  answerWith({ 'light.want': { item: off, versione: 7 }, 'media.list': inSlot('video', [off]) });
  await click(lightSwitch());
  expect([sent('light.want').at(-1), lightSwitch().checked]).toEqual([{ id: 'file-1', on: false }, false]);
  expect(pageText()).toContain(lightTexts.off);

  // The player's current frame becomes the poster.
  expect(pageText()).toContain(posterTexts.missing);
  answerWith({ 'media.poster': refused('FILES_BUSY') });
  await press(posterTexts.takeFrame);
  expect(sent('media.poster')).toEqual([{ id: 'file-1', second: 0 }]);
  expect(takeNotices()).toEqual([`✗ ${sentence('FILES_BUSY')}`]);
  const withPoster = { ...off, poster_url: '/p.jpg' };
  answerWith({
    'media.poster': { item: withPoster, versione: 7 },
    'media.list': inSlot('video', [withPoster]),
  });
  await press(posterTexts.takeFrame);
  expect([takeNotices(), pageText().includes(posterTexts.missing)]).toEqual([[posterTexts.saved], false]);

  const needless = film({ light: { ...light, state: 'needless', size: null } });
  await openPage('/admin/video', { 'media.list': inSlot('video', [needless]) });
  expect(pageText()).toContain(lightTexts.states.needless);
  expect(pageText()).not.toContain(lightTexts.title);
});

test('saves the playback speed over a concurrent change', async () => {
  const server = await openStoringPage('/admin/video');
  expect(field(videoPageTexts.speed).value).toBe('1');
  server.elsewhere('config', { video_playback_rate: 2 });
  await choose(videoPageTexts.speed, '1.25');
  expect(server.config.video_playback_rate).toBe(1.25);
  expect(takeNotices()).toEqual([videoPageTexts.speedSaved]);
  expect(field(videoPageTexts.speed).value).toBe('1.25');
  answerWith({ 'config.save': unreadable });
  await choose(videoPageTexts.speed, '0.5');
  expect([takeNotices(), field(videoPageTexts.speed).value]).toEqual([
    [`✗ ${videoPageTexts.speedFailed}`],
    '1.25',
  ]);
  expect(phone(videoPageTexts.preview)).toContain('Comincia');
});

test('edits a film’s captions from a file or by hand, and asks before discarding them', async () => {
  const texts = captionsTexts;
  const withCaptions = film({ captions: { url: '/api/media/k.vtt', mode: 'always' } });
  await openPage('/admin/video', {
    'media.list': inSlot('video', [film()]),
    'captions.save': refused('CAPTION_TIMES'),
    'GET /api/media/k.vtt': async () => new Response('WEBVTT'),
  });
  await press(texts.addTo('film.mp4'));
  expect(field(texts.shown).value).toBe('device');
  write(texts.text, '00:02 --> 00:01\nCiao');
  await press(texts.save, dialog());
  expect(sent('captions.save')).toEqual([{ id: 'file-1', text: '00:02 --> 00:01\nCiao', mode: 'device' }]);
  expect(dialog().textContent).toContain(sentence('CAPTION_TIMES'));
  answerWith({ 'captions.save': unreadable });
  const chooseFile = async (content: BlobPart) => {
    fireEvent.change(dialog().querySelector('input[type="file"]') ?? expect.unreachable(), {
      target: { files: [new File([content], 'serata.srt')] },
    });
    await pass(0);
  };
  await chooseFile('1234567890\0');
  expect(dialog().textContent).toContain(sentence('CAPTIONS_UNREADABLE'));
  // Encoded as by an old Windows program.
  await chooseFile(new Uint8Array([...'Perch'].map((sign) => sign.charCodeAt(0)).concat(0xe9)));
  expect(field(texts.text).value).toBe('Perché');
  expect(dialog().textContent?.includes(sentence('CAPTIONS_UNREADABLE'))).toBe(false);
  await choose(texts.shown, 'always');
  await press(texts.save, dialog());
  expect(dialog().textContent).toContain(texts.failed);
  answerWith({
    'captions.save': { item: withCaptions, versione: 7 },
    'media.list': inSlot('video', [withCaptions]),
  });
  await press(texts.save, dialog());
  expect(sent('captions.save').at(-1)).toEqual({ id: 'file-1', text: 'Perché', mode: 'always' });
  expect(takeNotices()).toEqual([texts.saved]);
  // The stored text.
  expect(field(texts.text).value).toBe('WEBVTT');
  field(texts.text).setSelectionRange(6, 6);
  await press(texts.now, dialog());
  expect(field(texts.text).value).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:03.000\n');

  await press(texts.close, dialog(texts.title));
  expect(dialog(texts.closeQuestion).textContent).toContain(texts.closeQuestion + texts.closeDetail);
  await press(commonTexts.cancel, dialog(texts.closeQuestion));
  expect(await dialogs()).toBe(1);
  await press(texts.close, dialog(texts.title));
  await press(texts.closeConfirm, dialog(texts.closeQuestion));
  expect(await dialogs()).toBe(0);
  await press(texts.openOf('always', 'film.mp4'));
  const remove = async () => {
    await press(texts.removeOf('film.mp4'));
    await press(texts.remove, dialog(texts.removeQuestion));
    expect(await dialogs()).toBe(1);
  };
  await expectNotices('captions.remove', remove, [
    [unreadable, `✗ ${texts.removeFailed}`],
    [{ item: film(), versione: 8 }, texts.removed, { 'media.list': inSlot('video', [film()]) }],
  ]);
  expect(field(texts.text).value).toBe('');
});

test('sets the focus point of a picture by pointer or arrow keys', async () => {
  const one = file({ fuoco: null });
  await openPage('/admin/immagine', { 'media.list': inSlot('immagine', [one]) });
  const texts = focusTexts;
  await press(texts.openOf('mare.jpg'));
  const point = dialog().querySelector<HTMLElement>('[role="slider"]') ?? expect.unreachable();
  const place = () => point.getAttribute('aria-valuetext');
  expect(place()).toEqual(texts.place(50, 50));
  expect(control(texts.middle, dialog()).hasAttribute('disabled')).toBe(true);
  for (const key of ['ArrowRight', 'ArrowUp', 'x']) fireEvent.keyDown(point, { key });
  expect(place()).toBe(texts.place(52, 48));
  await press(texts.middle, dialog());
  expect(place()).toBe(texts.place(50, 50));
  point.getBoundingClientRect = () => ({ left: 10, top: 0, width: 200, height: 100 }) as DOMRect;
  fireEvent.pointerDown(point, { clientX: 500, clientY: 25 });
  expect(place()).toBe(texts.place(100, 25));
  await expectNotices('media.focus', () => press(texts.save, dialog()), [
    [unreadable, `✗ ${texts.failed}`],
    [{ items: [{ ...one, fuoco: { x: 1, y: 0.25 } }], versione: 7 }, texts.saved],
  ]);
  expect(sent('media.focus').at(-1)).toEqual({ slot: 'immagine', id: 'file-1', fuoco: { x: 1, y: 0.25 } });
  expect(await dialogs()).toBe(0);
});

test('joins tickets into one PDF in the chosen order', async () => {
  const ticket = (nome: string, attivo = false) =>
    file({ id: nome, nome, attivo, content_type: 'application/pdf' });
  const tickets = [ticket('b.pdf'), ticket('a.pdf', true), ticket(joinTexts.fileName)];
  await openPage('/admin/biglietti', { 'media.list': inSlot('biglietti', tickets) });
  await press(joinTexts.open);
  const rows = () => [...dialog().querySelectorAll('ol > li')].map(({ textContent }) => textContent);
  const tick = (nome: string) => field(nome, dialog());
  // The active file comes first; a previously joined file is not selected.
  expect(rows()).toEqual(['a.pdf', 'b.pdf', joinTexts.fileName]);
  expect(['a.pdf', 'b.pdf', joinTexts.fileName].map((nome) => tick(nome).checked)).toEqual([
    true,
    true,
    false,
  ]);
  await press(joinTexts.up('a.pdf'), dialog());
  await press(joinTexts.up('b.pdf'), dialog());
  expect(rows()).toEqual(['b.pdf', 'a.pdf', joinTexts.fileName]);
  expect(document.activeElement?.getAttribute('aria-label')).toBe(joinTexts.up('b.pdf'));
  await click(tick('a.pdf'));
  expect(control(joinTexts.confirm, dialog()).hasAttribute('disabled')).toBe(true);
  expect(dialog().textContent).toContain(joinTexts.tooFew(2));
  await click(tick('a.pdf'));
  for (const [answered, why] of [
    [unreadable, joinTexts.joinFailed],
    [refused('FILE_TOO_LARGE'), joinTexts.tooHeavy(MEDIA_BYTES.tickets)],
  ] as const) {
    answerWith({ 'media.join': answered });
    await press(joinTexts.confirm, dialog());
    expect([dialog().textContent, rows().length]).toEqual([expect.stringContaining(why), 3]);
  }
  answerWith({ 'media.join': { item: ticket('c.pdf', true), versione: 8 } });
  await press(joinTexts.confirm, dialog());
  expect(sent('media.join').at(-1)).toEqual({ slot: 'biglietti', ids: ['b.pdf', 'a.pdf'] });
  expect(takeNotices()).toEqual([joinTexts.saved]);
  expect(await dialogs()).toBe(0);
});

test('shows the ticket pages that may be drawn incorrectly', async () => {
  const page = (number: number, finding: 'font' | 'image' | null) =>
    ({ url: `/${number}.png`, small_url: `/${number}.png?w=1`, finding }) as never;
  const ticket = file({
    content_type: 'application/pdf',
    pages: [page(1, null), page(2, 'image'), page(3, 'font')],
  });
  await openPage('/admin/biglietti', {
    'media.list': inSlot('biglietti', [ticket, { ...ticket, id: '2', pages: [] }]),
  });
  expect(alerts()).toContain(ticketPageTexts.undrawable);
  expect([...document.querySelectorAll('a > img')].map((one) => one.getAttribute('src')).toSorted()).toEqual([
    '/2.png?w=1',
    '/3.png?w=1',
  ]);
});

test('plays the song and sets its start point', async () => {
  const song = file({ nome: 'canzone.mp3', content_type: 'audio/mpeg', warnings: ['HEAVY'] });
  const server = storingServer();
  await openPage('/admin/musica', { ...server.answers, 'media.list': inSlot('canzone', [song]) });
  const audio = document.querySelector('audio') ?? expect.unreachable();
  const texts = songStartTexts;
  expect(alerts()).toContain(savedTexts.heavySong);
  Object.defineProperty(audio, 'duration', { value: 200 });
  const dispatch = (event: string) => act(async () => void audio.dispatchEvent(new Event(event)));
  for (const [event, state, button] of [
    ['playing', 'playing', songPageTexts.pause],
    ['pause', 'paused', songPageTexts.play],
    ['ended', 'stopped', songPageTexts.play],
  ] as const) {
    await dispatch(event);
    expect([pageText().includes(songPageTexts.states[state]), control(button)]).toEqual([
      true,
      expect.anything(),
    ]);
  }
  audio.play = async () => {
    throw new Error('no');
  };
  await press(songPageTexts.play);
  expect(takeNotices()).toEqual([`✗ ${songPageTexts.playFailed}`]);
  audio.currentTime = 61.24;
  await dispatch('timeupdate');
  expect(pageText()).toContain(texts.placeAt(61.24, 200));
  const slider = () => document.querySelector('[role=slider]');
  expect(slider()?.getAttribute('aria-valuetext')).toBe(texts.placeAt(61.24, 200));
  await press(texts.here(61.24));
  expect([server.config.canzone_inizio_secondi, takeNotices()]).toEqual([61.2, [texts.saved]]);
  expect(pageText()).toContain(texts.startsAt(61.2));
  await press(texts.earlierLabel);
  await press(texts.laterLabel);
  await press(texts.laterLabel);
  expect(server.config.canzone_inizio_secondi).toBeCloseTo(62.2);
  await press(texts.beginning);
  await press(texts.earlierLabel);
  expect(server.config.canzone_inizio_secondi).toBe(0);
  expect(pageText()).toContain(texts.startsAtBeginning);
  takeNotices();
  answerWith({ 'config.save': refused('SONG_START_TOO_LATE') });
  await press(texts.laterLabel);
  expect(takeNotices()).toEqual([`✗ ${sentence('SONG_START_TOO_LATE')}`]);
  answerWith({ 'media.list': inSlot('canzone', [{ ...song, id: 'another' }]) });
  await becomes('visible');
  expect(slider()?.getAttribute('aria-valuenow')).toBe('0');
  await press(savedTexts.remove);
  expect(dialog().textContent).toContain(slotTexts.canzone.removeQuestion + slotTexts.canzone.removeActive);
  await openPage('/admin/musica', { 'media.list': [] });
  expect(pageText()).toContain(slotTexts.canzone.empty + slotTexts.canzone.emptyHint);
});

test('previews the picture and the card during input', async () => {
  await openPage('/admin/immagine');
  expect(phone(tripMediaTexts.destinationPreview)).toContain('viaggio-uno');
  write('Titolo del viaggio', 'Il mare');
  write(tripMediaTexts.departure, 'domani');
  await pass(350);
  expect(phone(tripMediaTexts.destinationPreview)).toContain('Il mare');
  expect(phone(tripMediaTexts.cardPreview)).toContain('domani');
  const none = storingServer({ immagine_destinazione_url: null });
  await openPage('/admin/immagine', none.answers);
  expect(phone(tripMediaTexts.destinationPreview)).toContain(tripMediaTexts.noImage);
  // Without a picture only the card shows the titles, so focus switches the preview to the card.
  fireEvent.focus(field('Titolo del viaggio'));
  expect(phone(tripMediaTexts.destinationPreview)).toBeUndefined();
});
