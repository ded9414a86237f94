import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { KeepsakeView } from '../../src/contract/keepsake.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { stageContent } from '../../src/domain/stage-content.ts';
import { keepsakeTexts as texts } from '../../src/texts/keepsake.ts';
import { KeepsakePage } from '../../src/web/keepsake/page.tsx';
import { twoTrips } from '../experience/support/content.ts';
import { answering, drawn, lost, never, pass, refused, said, tap } from './support/page.ts';

/** The keepsake of a finished evening: the code, the content and the reply. */

const GIVEN = { risposta_1: true, risposta_2: false };
const snapshot = twoTrips();
const kept = (reply: string | null): KeepsakeView => ({
  until: '2027-12-31',
  recipient_name: 'Giulia',
  stages: itinerary(snapshot).map((step) =>
    stageContent(
      snapshot,
      step,
      new Map([
        [1, GIVEN],
        [2, GIVEN],
      ]),
    ),
  ),
  answers: [{ viaggio: 1, ...GIVEN }],
  calendars: [1],
  reply,
});

let calls: ReturnType<typeof answering>;
let read: Parameters<typeof answering>[0][string];
beforeEach(() => {
  vi.useFakeTimers();
  read = said({ open: false });
});
async function open(answers: Parameters<typeof answering>[0] = {}) {
  calls = answering({ keepsake: (body) => read(body), 'keepsake/open': said(kept(null)), ...answers });
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element: <KeepsakePage /> }])} />);
  await pass();
}
async function send(code: string): Promise<void> {
  const field = screen.getByLabelText<HTMLInputElement>(texts.prompt);
  fireEvent.change(field, { target: { value: code } });
  fireEvent.submit(field);
  await pass();
}
const door = [`# ${texts.ask}`, `{${texts.prompt}: }`, `[${texts.submit}]`];

test('shows a loading status, that there is no keepsake, or a retry button', async () => {
  read = never;
  await open();
  expect(drawn()).toEqual([`status: ${texts.opening}`]);
  read = refused('NO_KEEPSAKE');
  await open();
  expect(drawn().slice(1)).toEqual([texts.gone, `<${texts.home} → />`]);
  document.body.replaceChildren();
  read = lost;
  await open();
  expect(drawn().at(-1)).toBe(`[${texts.retry}]`);
  read = said({ open: false });
  await tap(texts.retry);
  expect(drawn()).toEqual(door);
});

test('shows why a code is refused, and that the keepsake no longer exists', async () => {
  let answer = refused('CODE_INVALID');
  await open({ 'keepsake/open': (body) => answer(body) });
  await send('ROM1');
  expect(calls.of('keepsake/open')).toEqual([{ token: 'ROM1' }]);
  expect(drawn()).toEqual([door[0], `{${texts.prompt}: ROM1}`, 'alert: No: CODE_INVALID', door[2]]);
  expect(screen.getByLabelText(texts.prompt).getAttribute('aria-invalid')).toBe('true');
  [answer, read] = [refused('NO_KEEPSAKE'), refused('NO_KEEPSAKE')];
  await send('ROM1');
  expect(drawn()).toContain(texts.gone);
});

test('shows the whole evening from top to bottom, with its answers, trips, tickets and dates', async () => {
  await open();
  await send('ROM1');
  expect(drawn()).toEqual([
    `# ${texts.title('Giulia')}`,
    texts.until('2027-12-31'),
    'Prima',
    'Del video',
    'Dopo',
    'Il',
    'Video',
    '(Destinazione)',
    'Il Nostro Viaggio',
    '# Destinazione',
    texts.departure,
    '15 Dicembre 2024',
    texts.return,
    'Da definire',
    `<${texts.download} → /api/keepsake/tickets/1/biglietti.pdf>`,
    `[${texts.view}]`,
    `<${texts.calendar} → /api/keepsake/calendar/1/viaggio.ics>`,
    'Uno?',
    texts.yes,
    'Due?',
    texts.no,
    'Non è finita',
    'Secondo',
    'Viaggio',
    '(Seconda Destinazione)',
    'Il Nostro Secondo Viaggio',
    '# Seconda Destinazione',
    texts.dayTrip,
    'Da definire',
    `<${texts.download} → /api/keepsake/tickets/2/biglietti.pdf>`,
    `[${texts.view}]`,
    'Fine',
    'Davvero',
    `# ${texts.reply.title}`,
    `{${texts.reply.label}: }`,
    `[${texts.reply.send} off]`,
  ]);
  expect(document.querySelector('video')?.getAttribute('src')).toBe('/video.mp4');
  expect(document.activeElement?.tagName).toBe('H1');
});

test('polls every 30 s while visible, clears when the page is left, and closes if the server refuses', async () => {
  read = said({ open: true });
  await open();
  // A page without the evening asks for the code, independent of the server's answer.
  expect(drawn()).toEqual(door);
  read = lost;
  await pass(30_000);
  expect(drawn()).toEqual(door);
  await send('ROM1');
  for (read of [said({ open: true }), lost, refused('UNAVAILABLE', {}, 503)]) {
    await pass(30_000);
    expect(drawn()).toContain('Prima');
  }
  const turn = async (state: 'hidden' | 'visible') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(state === 'hidden');
    fireEvent(document, new Event('visibilitychange'));
    await pass();
  };
  await turn('hidden');
  await pass(30_000);
  expect(calls.of('keepsake')).toHaveLength(5);
  await turn('visible');
  expect(calls.of('keepsake')).toHaveLength(6);
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
  fireEvent(window, new Event('pagehide'));
  expect([drawn(), calls.of('keepsake').length]).toEqual([[`status: ${texts.opening}`], 6]);
  read = said({ open: true });
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  await pass();
  expect(drawn()).toEqual(door);
  for (const [answer, shown] of [
    [said({ open: false }), door.at(-1)],
    [refused('NO_KEEPSAKE'), texts.gone],
  ] as const) {
    await send('ROM1');
    read = answer;
    await pass(30_000);
    expect([drawn().includes(shown ?? ''), drawn().includes('Prima')]).toEqual([true, false]);
  }
  expect(calls.of('keepsake')).toHaveLength(9);
  cleanup();
  await pass(60_000);
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  expect(calls.of('keepsake')).toHaveLength(9);
});

test('sends a reply, withdraws it and shows a refusal', async () => {
  const reply = texts.reply;
  let answer = (body: Record<string, unknown>) =>
    Response.json({ reply: body['text'] === '' ? null : body['text'] });
  await open({ 'keepsake/reply': (body) => answer(body) });
  await send('ROM1');
  const write = async (text: string) => {
    const field = screen.getByLabelText(reply.label);
    fireEvent.change(field, { target: { value: text } });
    fireEvent.submit(field);
    await pass();
    return drawn().slice(-3);
  };
  const sent = texts.reply.sent('2027-12-31');
  expect(await write('Grazie')).toEqual([
    `{${reply.label}: Grazie}`,
    `status: ${sent}`,
    `[${reply.change} off]`,
  ]);
  expect(await write('')).toEqual([`{${reply.label}: }`, `status: ${reply.taken}`, `[${reply.send} off]`]);
  answer = () => Response.json({ codice: 'BAD_INPUT', messaggio: 'Troppo lungo' }, { status: 400 });
  read = said({ open: true });
  expect(await write('Ancora')).toEqual([
    `{${reply.label}: Ancora}`,
    'status: Troppo lungo',
    `[${reply.send}]`,
  ]);
  expect(calls.of('keepsake/reply').map(({ text }) => text)).toEqual(['Grazie', '', 'Ancora']);
});
