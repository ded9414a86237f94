import { expect, test } from 'vitest';
import { itinerary } from '../../src/domain/itinerary.ts';
import { currentPhrase, currentStage, videoSecond } from '../../src/experience/selectors.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { type Device, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live } from './support/visitor.ts';

const STEPS = itinerary(twoTrips()).map(({ stage, viaggio }, step) => ({ step, stage, viaggio }));
const given = [
  { viaggio: 1, risposta_1: true, risposta_2: true },
  { viaggio: 2, risposta_1: false, risposta_2: true },
] as const;

test.each(STEPS)(
  'a visit left at $stage of trip $viaggio is taken up there and comes to its end',
  async ({ step, stage, viaggio }) => {
    const before = STEPS.slice(0, step).filter((done) => done.stage === 'questions');
    const answers = given.slice(0, before.length);
    const page = openPage(serverOf(twoTrips(), { step, phrase: 0, second: 0 }, answers));
    await page.pass(0);
    expect(currentStage(page.snapshot())).toMatchObject({ step, content: { stage, viaggio } });
    await live(page);
    expect(page.screens.at(-1)?.screen).toBe('over');
    expect(page.server.state.completed).toBe(true);
  },
);

test.each(STEPS)('a reload in $stage of trip $viaggio shows the same stage', async ({ step }) => {
  const server = serverOf(twoTrips());
  const device: Device = new Map();
  const first = openPage(server, { device });
  await live(first, { until: ({ snapshot }) => currentStage(snapshot())?.step === step });
  first.close();
  const second = openPage(server, { device });
  await second.pass(0);
  expect(currentStage(second.snapshot())?.step).toBe(step);
});

test('a phrase that was left is shown again from its beginning, then the next', async () => {
  const page = openPage(serverOf(twoTrips(), { step: 2, phrase: 1, second: 0 }));
  await page.pass(0);
  expect(currentPhrase(page.snapshot())).toMatchObject({ text: 'Il', index: 1, total: 3, seconds: 6 });
  await page.pass(5_950);
  expect(currentPhrase(page.snapshot())?.index).toBe(1);
  await page.pass(50);
  expect(currentPhrase(page.snapshot())).toMatchObject({ text: 'Video', index: 2 });
});

test('a saved phrase beyond the last is taken for the last', async () => {
  const page = openPage(serverOf(twoTrips(), { step: 2, phrase: 999, second: 0 }));
  await page.pass(0);
  expect(currentPhrase(page.snapshot())?.index).toBe(2);
});

test('the video goes on at its second, and the next stage begins at its first phrase', async () => {
  const page = openPage(serverOf(twoTrips(), { step: 1, phrase: 0, second: 37.5 }));
  await page.pass(0);
  expect(page.screen()).toBe('video');
  expect(videoSecond(page.snapshot())).toBe(37.5);
  page.send({ type: 'VIDEO_ENDED' });
  expect(currentPhrase(page.snapshot())?.index).toBe(0);
});

test('after the download a reload comes back at the questions, not at the card', async () => {
  const server = serverOf(oneTrip());
  const first = openPage(server);
  await live(first, { until: ({ screen }) => screen() === 'card' });
  first.send({ type: 'DOWNLOAD' });
  await first.pass(0);
  first.close();
  const second = openPage(server);
  await second.pass(0);
  expect(second.screen()).toBe('questions');
});

test('a refused step makes the chart take the place the server has', async () => {
  const server = serverOf(twoTrips());
  const page = openPage(server);
  await live(page, { until: ({ screen }) => screen() === 'destination' });
  server.state.position = { step: 0, phrase: 1, second: 0 };
  await page.pass(5_000);
  expect(currentStage(page.snapshot())?.step).toBe(0);
  expect(currentPhrase(page.snapshot())?.index).toBe(1);
  await live(page);
  expect(server.state.completed).toBe(true);
});

test('the content of another visit (a code entered in another tab) is not mixed in: the visit is loaded anew', async () => {
  const server = serverOf(twoTrips());
  const page = openPage(server);
  await live(page, { until: ({ screen }) => screen() === 'destination' });
  const resumes = server.state.calls.filter((call) => call === 'resume').length;
  page.send({ type: 'CONTENT', visit: { ...server.visit(), session_id: 'other' } });
  await page.pass(0);
  expect(server.state.calls.filter((call) => call === 'resume')).toHaveLength(resumes + 1);
});
