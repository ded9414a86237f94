import { type ComponentProps, createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { stageContent } from '../../src/domain/stage-content.ts';
import { BoardingPass } from '../../src/web/scenes/boarding-pass.tsx';
import { Closing } from '../../src/web/scenes/closing.tsx';
import { constellation, fallsFrom, isUnder } from '../../src/web/scenes/constellation.ts';
import { Phrase } from '../../src/web/scenes/phrase.tsx';
import { Questions } from '../../src/web/scenes/questions.tsx';
import { VideoStart } from '../../src/web/scenes/video-start.tsx';
import { TicketsView } from '../../src/web/visitor/experience/tickets-view.tsx';
import { snapshotOf } from '../support/evenings.ts';

/** What the scenes say, word for word, drawn without a browser. */

/** The texts of what is drawn, in order. */
const textsOf = (scene: ReactElement) =>
  renderToStaticMarkup(scene)
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll('&#x27;', "'").trim())
    .filter((text) => text !== '');
const count = (scene: ReactElement, tag: RegExp) => renderToStaticMarkup(scene).match(tag)?.length ?? 0;

/** What a card shows, as it is before anything was written. */
const UNWRITTEN = {
  titolo_destinazione: null,
  titolo_destinazione_2: null,
  titolo_viaggio: null,
  titolo_viaggio_2: null,
  data_partenza: null,
  data_partenza_2: '  ',
  data_ritorno: null,
  data_ritorno_2: null,
  testo_istruzioni_biglietti: null,
  testo_istruzioni_biglietti_2: null,
};

describe('the card', () => {
  const cardOf = (
    viaggio: 1 | 2,
    config: Parameters<typeof snapshotOf>[0],
    passenger: string | null = null,
  ) => {
    const content = stageContent(snapshotOf(config), { stage: 'card', viaggio }, new Map());
    if (content.stage !== 'card') throw new Error('no card');
    const pass = { ...content, passenger, children: 'Scarica i biglietti' };
    return textsOf(createElement(BoardingPass, pass));
  };

  test('has titles, both dates, what can be done with the tickets, and the instructions below it', () => {
    const card = cardOf(1, {
      titolo_viaggio: 'Tre giorni a Lisbona',
      titolo_destinazione: 'Lisbona',
      data_partenza: '3 marzo 2027',
      data_ritorno: '6 marzo 2027',
      testo_istruzioni_biglietti: 'Mettili via.',
    });
    expect(card).toEqual([
      'Carta d’imbarco',
      'Tre giorni a Lisbona',
      'Lisbona',
      'Partenza',
      '3 marzo 2027',
      'Ritorno',
      '6 marzo 2027',
      'Scarica i biglietti',
      'Mettili via.',
    ]);
  });

  test('names who travels, where that was said, and a single day once', () => {
    const day = { data_partenza: '15 Dicembre 2027', data_ritorno: '15 dicembre 2027 ' };
    const card = cardOf(1, day, 'Giulia');
    expect(card).toEqual(expect.arrayContaining(['Passeggera/o:', 'Giulia', 'Partenza e ritorno']));
    expect(card.filter((text) => /15 dicembre/i.test(text))).toEqual(['15 Dicembre 2027']);
    expect(cardOf(1, day)).not.toContain('Passeggera/o:');
  });

  test.each([
    [1, 'Il Nostro Viaggio', 'Destinazione'],
    [2, 'Il Nostro Secondo Viaggio', 'Seconda Destinazione'],
  ] as const)('of trip %i has the default words where nothing was written', (viaggio, trip, destination) => {
    expect(cardOf(viaggio, UNWRITTEN)).toEqual([
      'Carta d’imbarco',
      trip,
      destination,
      'Partenza e ritorno',
      'Da definire',
      'Scarica i biglietti',
      'P.S dopo aver visto i biglietti torna sul sito',
    ]);
  });
});

describe('the questions', () => {
  const questions = (given: Partial<ComponentProps<typeof Questions>>) =>
    createElement(Questions, {
      domanda_1: 'Partiamo?',
      domanda_2: 'Sul mare?',
      asked: 1,
      risposta_1: null,
      risposta_2: null,
      onAnswer: () => {},
      ...given,
    });

  test('stand alone, each counted in words, with a yes and a no', () => {
    expect(textsOf(questions({}))).toEqual(['Domanda 1 di 2', 'Partiamo?', 'Sì', 'No']);
    const second = questions({ asked: 2, risposta_1: true });
    expect(textsOf(second)).toEqual(['Domanda 2 di 2', 'Sul mare?', 'Sì', 'No']);
  });

  test('call her by her name where she has one', () => {
    expect(textsOf(questions({ recipient_name: 'Giulia' }))).toEqual([
      'Domanda 1 di 2',
      'Giulia,',
      'Partiamo?',
      'Sì',
      'No',
    ]);
  });

  test('give way to the thanks; taken up again then, there is nothing else', () => {
    const thanks = 'Le risposte sono state inviate.';
    expect(textsOf(questions({ asked: 1, thanks }))).toEqual([thanks]);
    const leaving = questions({ asked: 2, risposta_1: true, risposta_2: false, thanks });
    expect(textsOf(leaving)).toContain(thanks);
    expect(count(leaving, /data-leaving="true"/g)).toBe(2);
  });
});

describe('a phrase', () => {
  const phrase = (text: string) => createElement(Phrase, { text, seconds: 6, index: 0, total: 1 });

  test('keeps the line breaks that were typed, and an empty line', () => {
    const shown = renderToStaticMarkup(phrase('Una riga,\nun’altra.\r\n\n  E poi.'));
    const words = shown.slice(shown.indexOf('aria-hidden')).replaceAll(/<(?!br)[^>]*>/g, '');
    expect(words).toContain('Una riga, <br/>un’altra. <br/><br/>E poi. ');
  });

  test('is spoken in one piece', () => {
    expect(textsOf(phrase('Due\nrighe'))[0]).toBe('Due\nrighe');
  });
});

test('hearts begin to fall with the closing phrase; twenty stay after it', () => {
  const closing = (over: boolean) => createElement(Closing, { text: 'Ti aspetto.', over });
  expect(textsOf(closing(false))).toEqual(['Ti aspetto.']);
  expect(count(closing(false), /viewBox="0 0 24 24"/g)).toBe(5);
  expect(textsOf(closing(true))).toEqual([]);
  expect(count(closing(true), /viewBox="0 0 24 24"/g)).toBe(20);
});

test('no heart of the closing lies under its words or falls across them', () => {
  const places = constellation(20);
  const across = { left: -1, right: 1, top: -0.3, bottom: 0.4 };
  const [above, under, below] = [
    places.filter(({ y }) => y <= across.top),
    places.filter(({ y }) => y > across.top && y < across.bottom),
    places.filter(({ y }) => y >= across.bottom && y < 1),
  ];
  for (const group of [above, under, below]) expect(group).not.toEqual([]);
  expect(places.filter((place) => isUnder(place, across))).toEqual(under.filter(({ x }) => Math.abs(x) < 1));
  for (const place of above) expect(fallsFrom(place, across)).toBeNull();
  for (const place of below) expect(fallsFrom(place, across)).toBe(across.bottom);
  // What has room beside the words falls as ever.
  const narrow = { ...across, left: -0.1, right: 0.1 };
  expect(places.filter(({ x }) => Math.abs(x) > 0.1).map((place) => fallsFrom(place, narrow))).toEqual(
    places.filter(({ x }) => Math.abs(x) > 0.1).map(() => null),
  );
});

describe('the start button', () => {
  const start = (gate: { ready: boolean; filled?: number }) =>
    createElement(VideoStart, { video_button_text: 'Guarda', poster_url: null, ...gate });

  test('waits for the film with its own sentence, and can’t be pressed', () => {
    expect(textsOf(start({ ready: false }))).toEqual(['Sto preparando il video…']);
    expect(renderToStaticMarkup(start({ ready: false }))).toContain('disabled=""');
  });

  test('on a slow line says how much is there and may be pressed all the same', () => {
    const slow = renderToStaticMarkup(start({ ready: true, filled: 0.4 }));
    expect(textsOf(start({ ready: true, filled: 0.4 }))).toEqual(['Guarda', 'Sto preparando il video…']);
    expect(slow).toContain('<progress value="0.4" max="1">');
    expect(slow).not.toContain('disabled=""');
  });

  test('otherwise has only its text', () => {
    expect(textsOf(start({ ready: true }))).toEqual(['Guarda']);
  });
});

describe('the tickets in the page', () => {
  const trip = (ticket_pages: string[] | null, viaggio: 1 | 2 = 1) => ({
    viaggio,
    ticket_pages,
    titolo_destinazione: viaggio === 1 ? 'Lisbona' : 'Dolomiti',
    address: '/biglietti.pdf',
  });
  const view = (...trips: (string[] | null)[]) =>
    createElement(TicketsView, {
      trips: trips.map((pages, index) => trip(pages, index === 0 ? 1 : 2)),
      onClose: () => {},
    });

  test('show each page as the picture that was drawn of it, by its number', () => {
    const shown = renderToStaticMarkup(view(['/api/media/1.webp', '/api/media/2.webp']));
    expect(shown).toContain('<img src="/api/media/1.webp" alt="Biglietti, pagina 1"/>');
    expect(shown).toContain('<img src="/api/media/2.webp" alt="Biglietti, pagina 2"/>');
    expect(shown).toMatch(/<dialog[^>]* aria-label="Biglietti"/);
    expect(textsOf(view(['/api/media/1.webp']))).toEqual(['Apro i biglietti…', 'Chiudi']);
  });

  test.each([[null], [[]]])('offer the download while there is no page: %j', (pages) => {
    const shown = renderToStaticMarkup(view(pages));
    expect(shown).toContain('href="/biglietti.pdf" download="biglietti.pdf"');
    expect(textsOf(view(pages))).toEqual([
      'Qui i biglietti non si possono ancora guardare: scaricali per vederli.',
      'Scarica i biglietti',
      'Chiudi',
    ]);
  });

  test('of both trips stand one below the other, each under its name', () => {
    expect(textsOf(view(['/api/media/1.webp'], ['/api/media/2.webp']))).toEqual([
      'Lisbona',
      'Apro i biglietti…',
      'Dolomiti',
      'Apro i biglietti…',
      'Chiudi',
    ]);
  });
});
