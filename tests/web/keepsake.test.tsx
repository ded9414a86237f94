import { fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { KeepsakeView } from '../../src/contract/visit.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { stageContent } from '../../src/domain/stage-content.ts';
import { keepsakeTexts as texts } from '../../src/texts/keepsake.ts';
import { KeepsakePage } from '../../src/web/keepsake/page.tsx';
import { oneTrip } from '../experience/support/content.ts';
import { lost, never, pass, readPage, refused, replyWith, stubFetch, tap } from './support/page.ts';

/** The keepsake of a finished evening: the code, the content and the reply. */

const ANSWERS = { risposta_1: true, risposta_2: false };
const snapshot = oneTrip();
const keepsakeView = (reply: string | null): KeepsakeView => ({
  until: '2027-12-31',
  recipient_name: 'Giulia',
  stages: itinerary(snapshot).map((step) => stageContent(snapshot, step, new Map([[1, ANSWERS]]))),
  answers: [{ viaggio: 1, ...ANSWERS }],
  calendars: [1],
  reply,
});

let calls: ReturnType<typeof stubFetch>;
let read: Parameters<typeof stubFetch>[0][string];
beforeEach(() => {
  vi.useFakeTimers();
  read = replyWith({ open: false });
});
async function open(answers: Parameters<typeof stubFetch>[0] = {}) {
  calls = stubFetch({
    keepsake: (body) => read(body),
    'keepsake/open': replyWith(keepsakeView(null)),
    ...answers,
  });
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element: <KeepsakePage /> }])} />);
  await pass();
}
async function send(code: string): Promise<void> {
  const field = screen.getByLabelText<HTMLInputElement>(texts.prompt);
  fireEvent.change(field, { target: { value: code } });
  fireEvent.submit(field);
  await pass();
}
const codeForm = [`# ${texts.ask}`, `{${texts.prompt}: }`, `[${texts.submit}]`];

test('shows a loading status, that there is no keepsake, or a retry button', async () => {
  read = never;
  await open();
  expect(readPage()).toEqual([`status: ${texts.opening}`]);
  read = refused('NO_KEEPSAKE');
  await open();
  expect(readPage().slice(1)).toEqual([texts.unavailable, `<${texts.home} → />`]);
  document.body.replaceChildren();
  read = lost;
  await open();
  expect(readPage().at(-1)).toBe(`[${texts.retry}]`);
  read = replyWith({ open: false });
  await tap(texts.retry);
  expect(readPage()).toEqual(codeForm);
});

test('shows why a code is refused, and that the keepsake no longer exists', async () => {
  let answer = refused('CODE_INVALID');
  await open({ 'keepsake/open': (body) => answer(body) });
  await send('ROM1');
  expect(calls.of('keepsake/open')).toEqual([{ token: 'ROM1' }]);
  expect(readPage()).toEqual([
    codeForm[0],
    `{${texts.prompt}: ROM1}`,
    'alert: No: CODE_INVALID',
    codeForm[2],
  ]);
  expect(screen.getByLabelText(texts.prompt).getAttribute('aria-invalid')).toBe('true');
  [answer, read] = [refused('NO_KEEPSAKE'), refused('NO_KEEPSAKE')];
  await send('ROM1');
  expect(readPage()).toContain(texts.unavailable);
});

test('shows the whole evening from top to bottom, with its answers, trips, tickets and dates', async () => {
  await open();
  await send('ROM1');
  expect(readPage()).toEqual([
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
    'Un sì e un no',
    `# ${texts.reply.title}`,
    `{${texts.reply.label}: }`,
    `[${texts.reply.send} off]`,
  ]);
  expect(document.querySelector('video')?.getAttribute('src')).toBe('/video.mp4');
  expect(document.activeElement?.tagName).toBe('H1');
});

test('polls every 30 s while visible, clears when the page is left, and closes if the server refuses', async () => {
  read = replyWith({ open: true });
  await open();
  // A page without the evening asks for the code, independent of the server's answer.
  expect(readPage()).toEqual(codeForm);
  await send('ROM1');
  for (read of [replyWith({ open: true }), lost]) {
    await pass(30_000);
    expect(readPage()).toContain('Prima');
  }
  const turn = async (state: 'hidden' | 'visible') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(state === 'hidden');
    fireEvent(document, new Event('visibilitychange'));
    await pass();
  };
  await turn('hidden');
  await pass(30_000);
  expect(calls.of('keepsake')).toHaveLength(3);
  await turn('visible');
  expect(calls.of('keepsake')).toHaveLength(4);
  fireEvent(window, new Event('pagehide'));
  expect(readPage()).toEqual([`status: ${texts.opening}`]);
  read = replyWith({ open: true });
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  await pass();
  expect(readPage()).toEqual(codeForm);
  for (const [answer, shown] of [
    [replyWith({ open: false }), codeForm.at(-1)],
    [refused('NO_KEEPSAKE'), texts.unavailable],
  ] as const) {
    await send('ROM1');
    read = answer;
    await pass(30_000);
    expect([readPage().includes(shown ?? ''), readPage().includes('Prima')]).toEqual([true, false]);
  }
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
    return readPage().slice(-3);
  };
  const sent = texts.reply.sent('2027-12-31');
  expect(await write('Grazie')).toEqual([
    `{${reply.label}: Grazie}`,
    `status: ${sent}`,
    `[${reply.change} off]`,
  ]);
  expect(await write('')).toEqual([`{${reply.label}: }`, `status: ${reply.deleted}`, `[${reply.send} off]`]);
  answer = () => Response.json({ codice: 'BAD_INPUT', messaggio: 'Troppo lungo' }, { status: 400 });
  read = replyWith({ open: true });
  expect(await write('Ancora')).toEqual([
    `{${reply.label}: Ancora}`,
    'status: Troppo lungo',
    `[${reply.send}]`,
  ]);
  expect(calls.of('keepsake/reply').map(({ text }) => text)).toEqual(['Grazie', '', 'Ancora']);
});
