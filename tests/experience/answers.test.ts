import { expect, test } from 'vitest';
import { questionsOf } from '../../src/experience/selectors.ts';
import { oneTrip } from './support/content.ts';
import { type Device, type Evening, type Options, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live } from './support/visitor.ts';

const KEY = 'session/1';

async function atQuestions(
  network: 'up' | 'lost' | 'unanswered' = 'up',
  options: Options = {},
  server = serverOf(oneTrip()),
): Promise<Evening> {
  const page = openPage(server, options);
  await live(page, { until: ({ screen }) => screen() === 'questions' });
  server.state.network = network;
  return page;
}

const answer = (page: Evening, question: 1 | 2, value: boolean) =>
  page.send({ type: 'ANSWER', question, value });
/** Answers both questions with yes. */
const yes = (page: Evening) => ([1, 2] as const).forEach((question) => answer(page, question, true));
const failures = (page: Evening) =>
  page.calls('notify').filter(({ detail }) => (detail as { kind: string }).kind === 'answers_failed');

test('shows one question at a time, the next after the answer was visible', async () => {
  const page = await atQuestions();
  const asked = () => questionsOf(page.snapshot()).asked;
  expect(asked()).toBe(1);
  answer(page, 1, true);
  await page.pass(1_050);
  page.send({ type: 'HIDDEN' });
  await page.pass(60_000);
  expect(asked()).toBe(1);
  page.send({ type: 'SHOWN' });
  await page.pass(50);
  expect(asked()).toBe(2);
});

test('confirms the sent answers once, also after a resync, and then continues', async () => {
  const page = await atQuestions();
  yes(page);
  await page.pass(4_950);
  page.send({ type: 'RESYNC' });
  await page.pass(0);
  expect(page.thanks()).toEqual(['thanks 1, both yes']);
  expect(page.screen()).toBe('closing');
  expect(page.calls('trackExit')).toHaveLength(1);
});

test('sends both answers automatically and once, for any number of taps', async () => {
  const page = await atQuestions();
  for (const value of [true, false, true]) answer(page, 2, value);
  await page.pass(30_000);
  expect(page.calls('sendAnswers')).toEqual([]);
  for (const value of [false, true]) answer(page, 1, value);
  answer(page, 2, false);
  page.send({ type: 'RETRY' });
  expect(questionsOf(page.snapshot()).sending).toBe(true);
  await page.pass(10_000);
  expect(page.calls('sendAnswers').map(({ detail }) => detail)).toEqual([
    { viaggio: 1, risposta_1: false, risposta_2: true },
  ]);
  expect(page.server.state.stored).toEqual([{ viaggio: 1, risposta_1: false, risposta_2: true }]);
  expect(page.thanks()).toEqual(['thanks 1']);
  expect(page.device.has(KEY)).toBe(false);
});

test('reports a failed attempt once, clears `sending` and retries without limit; «Riprova» retries at once', async () => {
  const page = await atQuestions('lost');
  yes(page);
  await page.pass(0);
  const chosen = { risposta_1: true, risposta_2: true };
  expect(questionsOf(page.snapshot())).toEqual({ asked: 2, chosen, sending: false });
  expect(failures(page)).toHaveLength(1);
  await page.pass(3_500);
  expect(page.calls('sendAnswers')).toHaveLength(4);
  expect(failures(page)).toHaveLength(1);
  await page.pass(3_600_000);
  expect(page.screen()).toBe('questions');
  expect(page.calls('sendAnswers').length).toBeGreaterThan(400);
  page.server.state.network = 'up';
  page.send({ type: 'RETRY' });
  await page.pass(0);
  expect(page.thanks()).toHaveLength(1);
  expect(page.server.state.stored).toHaveLength(1);
});

test('sends again after a lost reply and is stored once', async () => {
  const page = await atQuestions('unanswered');
  yes(page);
  await page.pass(0);
  page.server.state.network = 'up';
  await page.pass(500);
  expect(page.calls('sendAnswers')).toHaveLength(2);
  expect(page.server.state.stored).toHaveLength(1);
  expect(page.thanks()).toHaveLength(1);
});

test('restores locked answers after a reload and sends a complete pair on resume', async () => {
  const device: Device = new Map();
  const server = serverOf(oneTrip());
  const first = await atQuestions('up', { device }, server);
  answer(first, 2, false);
  first.close();

  const second = openPage(server, { device });
  await second.pass(0);
  expect(questionsOf(second.snapshot()).chosen).toEqual({ risposta_2: false });
  answer(second, 2, true);
  server.state.network = 'lost';
  answer(second, 1, true);
  await second.pass(2_000);
  second.close();
  expect(device.get(KEY)).toEqual({ risposta_1: true, risposta_2: false });

  server.state.network = 'up';
  const third = openPage(server, { device });
  await third.pass(0);
  expect(third.calls('sendAnswers')).toHaveLength(1);
  expect(server.state.stored).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
  expect(third.thanks()).toHaveLength(1);
  expect(device.size).toBe(0);
});

test('does not ask or send answers again that the server has', async () => {
  const device: Device = new Map([[KEY, { risposta_1: true, risposta_2: true }]]);
  const position = { step: 5, phrase: 0, second: 0 };
  const server = serverOf(oneTrip(), position, [{ viaggio: 1, risposta_1: true, risposta_2: true }]);
  const page = openPage(server, { device });
  await page.pass(0);
  expect(page.calls('sendAnswers')).toEqual([]);
  expect(page.thanks()).toEqual(['thanks 1, both yes']);
  expect(device.size).toBe(0);
});

test('replaces the local answers with different ones on the server', async () => {
  const page = await atQuestions();
  page.server.state.answers.set(1, { risposta_1: false, risposta_2: false });
  yes(page);
  await page.pass(6_000);
  expect(page.screens.at(-1)?.screen).toBe('closing 1: No no');
  expect(page.device.size).toBe(0);
});

test('asks again after a conflict without answers from the server, instead of resending', async () => {
  const server = serverOf(oneTrip());
  let attempts = 0;
  const conflict = async () => {
    attempts += 1;
    return { ok: false, code: attempts < 5 ? 'ANSWERS_CONFLICT' : 'NETWORK' } as const;
  };
  const page = await atQuestions('up', {}, { ...server, answers: conflict });
  yes(page);
  await page.pass(1_000);
  expect(page.calls('sendAnswers')).toHaveLength(1);
  expect(questionsOf(page.snapshot())).toEqual({ asked: 1, chosen: {}, sending: false });
});
