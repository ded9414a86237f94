import { act, fireEvent, render } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { demoContent } from '../../demo/content.ts';
import { experienceTexts as texts } from '../../src/texts/experience.ts';
import { findScene } from '../../src/web/dev/scenes.tsx';
import { constellation, fallStart, isBehindText } from '../../src/web/scenes/constellation.ts';
import { Destination } from '../../src/web/scenes/destination.tsx';
import { Phrase } from '../../src/web/scenes/phrase.tsx';
import { Questions } from '../../src/web/scenes/questions.tsx';
import { clearNotice } from '../../src/web/visitor/experience/notices.ts';
import { TicketsView } from '../../src/web/visitor/experience/tickets-view.tsx';
import { OverFilm } from '../../src/web/visitor/experience/video-screen.tsx';
import { standInMedia } from './support/media.ts';
import { pass, readPage, tap } from './support/page.ts';

/** The visitor's screens in the states of the gallery (`/dev/scene`): hour, texts, roles and controls. */

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  standInMedia();
});

const { frasi_pre_video, frasi } = demoContent;
const DEMO = demoContent as unknown as Record<string, string>;
const CARD = `Carta d’imbarco | # ${DEMO['titolo_viaggio']} | ${DEMO['titolo_destinazione']}`;
const WHO = 'A nome di | Giulia';
const DAYS = `Partenza | ${DEMO['data_partenza']} | Ritorno | ${DEMO['data_ritorno']}`;
/** Separates «P.S.», which is rendered in its own element. */
const byHand = (text = '') => text.replace('P.S. ', 'P.S. | ');
const STUB = `<Scarica i biglietti> | [Guarda i biglietti] | ${byHand(DEMO['testo_istruzioni_biglietti'])}`;
const goingOn = (stub: string) => stub.replace('biglietti] |', 'biglietti] | [Continua] |');
const PAGES = 'status: Apro i biglietti… | (Biglietti, pagina 1)';
const FIRST = `Domanda 1 di 2 | Giulia, | # ${DEMO['domanda_1']}`;
const SECOND = `Domanda 2 di 2 | Giulia, | # ${DEMO['domanda_2']}`;
const LAST_WORDS = `${demoContent.frasi_finali_secondo_viaggio[0]} | 1 / 2 | [Biglietti]`;
const KEPT = 'Le tue risposte sono salvate e verranno inviate appena torna la rete.';
const NOT_FOUND = '# Oops! Page not found | Questa pagina non esiste, o non esiste più.';

const SCREENS: [scene: string, shown: string][] = [
  ['Evening/loading', 'dusk | status: Un attimo…'],
  ['Evening/no network', 'dusk | Connessione persa. Riconnessione in corso… | [Riprova]'],
  ['Evening/phrases before the film', `dusk | ${frasi_pre_video[0]} | 1 / 3`],
  ['Evening/phrases after the film', `night | ${frasi[0]} | 1 / 4`],
  ['Evening/destination', `journey | # ${DEMO['titolo_destinazione']} | ${DEMO['titolo_viaggio']}`],
  ['Evening/card', `journey | ${CARD} | ${WHO} | ${DAYS} | ${STUB}`],
  ['Evening/card, torn', `journey | torn | ${CARD} | ${WHO} | ${DAYS} | ${goingOn(STUB)}`],
  ['Evening/card for one day', `journey | ${CARD} | Partenza e ritorno | 15 Dicembre 2027 | ${STUB}`],
  [
    'Evening/card without a word, a picture before it, or tickets',
    `journey | Carta d’imbarco | # Il Nostro Viaggio | Destinazione | ${WHO} | Partenza e ritorno | Da definire | [Continua] | P.S | dopo aver visto i biglietti torna sul sito`,
  ],
  [
    'Evening/tickets, not drawn yet',
    `journey | ${CARD} | ${WHO} | ${DAYS} | ${goingOn(STUB)} | Qui i biglietti non si possono ancora guardare: scaricali per vederli. | <Scarica i biglietti> | [Chiudi]`,
  ],
  [
    'Evening/tickets of both trips',
    `dawn | ${LAST_WORDS} | # Dolomiti | ${PAGES} | # Lisbona | ${PAGES} | [Chiudi]`,
  ],
  ['Evening/questions', `journey | ${FIRST} | [Sì] | [No] | [Biglietti]`],
  ['Evening/one answered', `journey | ${FIRST} | [Sì off] | [No off] | [Biglietti]`],
  ['Evening/the second question', `journey | ${SECOND} | [Sì] | [No] | [Biglietti]`],
  ['Evening/she is thanked', 'journey | status: Le risposte sono state inviate. | [Biglietti]'],
  [
    'Evening/the answers are sent',
    `journey | ${SECOND} | Invio le risposte… | [Sì off] | [No off] | [Biglietti]`,
  ],
  [
    'Evening/the answers can’t be sent',
    `journey | ${SECOND} | [Sì off] | [No off] | status: Errore nell'invio delle risposte | [Biglietti]`,
  ],
  [
    'Evening/closing, both yes',
    `dawn | ${demoContent.frasi_finali.entrambi_si.replace(' *amo*.', ' | amo | .')} | [Biglietti]`,
  ],
  ['Evening/closing without words', 'dawn | status: Ti amo...Le risposte sono state inviate. | [Biglietti]'],
  ['Evening/closing of the second trip', `dawn | ${LAST_WORDS}`],
  ['Film/being prepared', '[Sto preparando il video… off] | Se giri il telefono, si vede più grande'],
  [
    'Film/on a slow line',
    '[Quando sei pronta, tocca qui] | Se giri il telefono, si vede più grande | Sto preparando il video… | progress 0.4',
  ],
  ['Film/ready to start', '[Quando sei pronta, tocca qui] | Se giri il telefono, si vede più grande'],
  ['Film/playing, with captions', 'Era la nostra prima sera e pioveva.'],
  ['Film/stalled', 'status: Un attimo…'],
  ['Film/blocked', '[Tocca per continuare]'],
  ['Film/failed', 'Errore caricamento video | [Riprova]'],
  ['Notices/the answers failed', "night | status: Errore nell'invio delle risposte"],
  ['Notices/the download began', 'night | status: Download avviato!'],
  [
    'Notices/disconnected',
    "night | Sei stato disconnesso dall'amministratore | Contatta @marco per maggiori informazioni",
  ],
  ['Wrong pages/not found', `${NOT_FOUND} | <Torna alla pagina iniziale → />`],
  [
    'Wrong pages/not found, the administrator’s',
    `${NOT_FOUND} | <Torna al pannello → /admin/dashboard> | <Torna alla pagina iniziale → />`,
  ],
  [
    'Wrong pages/broken',
    '# Unexpected Application Error! | Qualcosa non ha funzionato. Quello che hai già fatto non è andato perso. | [Riprova] | <Torna alla pagina iniziale → />',
  ],
];

test.each(SCREENS)('shows %s', async (id, shown) => {
  const scene = findScene(id) ?? expect.unreachable();
  render(<>{scene.draw()}</>);
  await pass(1_000);
  const { hour } = document.querySelector('main')?.dataset ?? {};
  const torn = document.querySelector('[data-torn="true"]') === null ? [] : ['torn'];
  const words = readPage().map((part) => part.replace(/ → (?!\/(admin\/dashboard)?>).*(?=>)/, ''));
  expect([...(hour ? [hour] : []), ...torn, ...words].join(' | ')).toBe(shown);
});

test('preserves the line breaks of a phrase, exposes it as one text, and is faster with many words', () => {
  const text = 'Una riga,\nun’*altra*.\r\n\n  E poi.';
  const { container, rerender } = render(<Phrase text={text} seconds={6} index={0} total={1} />);
  const words = container.querySelector('[data-words]');
  const html = words?.innerHTML.replaceAll(/<(?!br)[^>]*>/g, '') ?? '';
  expect(html).toContain('Una riga, <br>un’altra. <br><br>E poi. ');
  expect(readPage(container)).toEqual(['Una riga, un’altra. E poi.', '1 / 1']);
  const delays = () =>
    [...(words?.querySelectorAll('span[style]') ?? [])].map((word) => word.getAttribute('style'));
  expect(delays().slice(0, 3)).toEqual([0, 60, 180].map((ms) => expect.stringContaining(`${ms}ms`)));
  rerender(<Phrase text={'a '.repeat(50)} seconds={6} index={0} total={1} />);
  expect(container.querySelectorAll('span[style]')[1]?.getAttribute('style')).toContain('28ms');
});

test('writes a name and «Ti amo…» by hand, and a name with unsupported letters in the serif', () => {
  const ask = (name: string, thanks: string | null = null) =>
    render(
      <Questions
        domanda_1="Uno?"
        domanda_2="Due?"
        current={1}
        risposta_1={null}
        risposta_2={null}
        recipient_name={name}
        thanks={thanks}
        onAnswer={() => {}}
      />,
    ).container;
  const hands = (name: string) => ask(name).querySelector('[data-hand]')?.getAttribute('data-hand');
  expect([hands('Giulia'), hands('Ђулија')]).toEqual(['true', 'false']);
  const status = ask('Giulia', texts.answersSentBothYes).querySelector('[role="status"]');
  expect([status?.textContent, status?.querySelector('span')?.textContent]).toEqual([
    texts.answersSentBothYes,
    'Ti amo...',
  ]);
});

test('sets the picture’s duration, omits its title on request and marks a long one', () => {
  const picture = { immagine_destinazione_url: '/a.jpg', titolo_viaggio: 'Noi', seconds: 5 };
  const show = (letters: number, fuoco: { x: number; y: number } | null, titled = true) =>
    render(
      <Destination {...picture} fuoco={fuoco} titolo_destinazione={'x'.repeat(letters)} titled={titled} />,
    );
  const { container } = show(60, null);
  expect(container.querySelector('section')?.getAttribute('style')).toContain('5s');
  expect(container.querySelector('h1')?.dataset['length']).toBe('short');
  expect(show(61, null).container.querySelector('h1')?.dataset['length']).toBe('long');
  const focused = show(1, { x: 0.95, y: 0.9 }, false).container;
  expect(focused.querySelector('h1')).toBeNull();
  expect(focused.querySelector('section')?.getAttribute('style')).toContain('--focus: 95% 90%');
});

test('shows one message at a time while the answers can’t be sent', async () => {
  render(<>{findScene('Evening/the answers can’t be sent')?.draw()}</>);
  await pass(1_000);
  expect(readPage()).toContain("status: Errore nell'invio delle risposte");
  expect(readPage()).not.toContain(KEPT);
  act(clearNotice);
  expect(readPage()).toContain(KEPT);
});

test('places no heart of the closing under its words, and lets none fall across them', () => {
  const places = constellation(20);
  const across = { left: -1, right: 1, top: -0.3, bottom: 0.4 };
  const above = places.filter(({ y }) => y <= across.top);
  const atTextHeight = places.filter(({ y }) => y > across.top && y < across.bottom);
  const below = places.filter(({ y }) => y >= across.bottom && y < 1);
  for (const group of [above, atTextHeight, below]) expect(group).not.toEqual([]);
  expect(places.filter((place) => isBehindText(place, across))).toEqual(
    atTextHeight.filter(({ x }) => Math.abs(x) < 1),
  );
  for (const place of above) expect(fallStart(place, across)).toBeNull();
  for (const place of below) expect(fallStart(place, across)).toBe(across.bottom);
  const narrow = { ...across, left: -0.1, right: 0.1 };
  for (const place of places.filter(({ x }) => Math.abs(x) > 0.1))
    expect(fallStart(place, narrow)).toBeNull();
});

test('opens tickets, reloads a lost page and closes by the button', async () => {
  const closed = vi.fn();
  const trip = { viaggio: 1, titolo_destinazione: 'Lisbona', address: '/biglietti.pdf' } as const;
  const { container } = render(
    <TicketsView trips={[{ ...trip, ticket_pages: ['/1.webp', '/2.webp'] }]} onClose={closed} />,
  );
  const [first, second] = container.querySelectorAll('img');
  expect(readPage()).toEqual([
    'status: Apro i biglietti…',
    '(Biglietti, pagina 1)',
    '(Biglietti, pagina 2)',
    '[Chiudi]',
  ]);
  fireEvent.load(first ?? expect.unreachable());
  fireEvent.error(second ?? expect.unreachable());
  expect(readPage()).toEqual([
    '(Biglietti, pagina 1)',
    'status: Errore durante il download',
    '[Riprova]',
    '[Chiudi]',
  ]);
  await tap('Riprova');
  expect(readPage()).toEqual(['(Biglietti, pagina 1)', '(Biglietti, pagina 2)', '[Chiudi]']);
  expect(closed).not.toHaveBeenCalled();
  await tap('Chiudi');
  await expect.poll(() => closed.mock.calls).toHaveLength(1);
});

test.each([
  ['idle', 'Guarda', 'start'],
  ['blocked', 'Tocca per continuare', 'resume'],
  ['osPaused', 'Tocca per continuare', 'resume'],
  ['failed', 'Riprova', 'retry'],
] as const)('performs with one tap the action the film waits for: %s', async (phase, button, done) => {
  const actions: string[] = [];
  const state = {
    phase,
    canStart: true,
    prebuffer: 'ready',
    filled: 1,
    buffered: 1,
    second: 0,
    fullScreen: 'css',
  } as const;
  const stage = {
    state: () => state,
    subscribe: () => () => {},
    start: () => void actions.push('start'),
    resume: () => void actions.push('resume'),
    retry: () => void actions.push('retry'),
  };
  render(<OverFilm stage={stage} video_button_text="Guarda" />);
  await tap(button);
  expect(actions).toEqual([done]);
});
