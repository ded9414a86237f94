import { expect, test } from 'vitest';
import { isContentReady } from '../../src/experience/selectors.ts';
import { ASK_AGAIN_MS } from '../../src/experience/timings.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { type Evening, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live } from './support/visitor.ts';

const until = (name: string) => ({ until: ({ screen }: Evening) => screen() === name });

/** A page that lost its network during the film and waits for the next content. */
async function waitingPage(content: Parameters<typeof serverOf>[0]): Promise<Evening> {
  const page = openPage(serverOf(content));
  await live(page, until('video'));
  page.server.state.network = 'lost';
  await live(page, until('waiting'));
  return page;
}

test('shows nothing while it loads and before the first phrase can be rendered', async () => {
  const page = openPage(serverOf(oneTrip()), { fontsReady: false });
  const seen = () => [page.screen(), isContentReady(page.snapshot())];
  expect(seen()).toEqual(['loading', false]);
  await page.pass(0);
  expect(seen()).toEqual(['pre_phrases', false]);
  page.send({ type: 'FONTS_READY' });
  expect(seen()).toEqual(['pre_phrases', true]);
  await live(page, until('video'));
  expect(seen()).toEqual(['video', true]);
  const server = serverOf(oneTrip());
  server.state.network = 'lost';
  const offline = openPage(server);
  await offline.pass(0);
  expect([offline.screen(), isContentReady(offline.snapshot())]).toEqual(['offline', true]);
});

test('shows the next stage without a network, waits for the one after it, and resumes', async () => {
  const page = await waitingPage(twoTrips());
  expect(page.screens.map(({ screen }) => screen.split(':')[0])).toContain('phrases 1');
  expect(page.screens.map(({ screen }) => screen)).not.toContain('destination 1');
  await page.pass(600_000);
  expect(page.screen()).toBe('waiting');
  page.server.state.network = 'up';
  await live(page, { ...until('destination'), limitMs: 8_100 });
  await live(page);
  expect(page.server.state.completed).toBe(true);
});

test('ends the wait at once when the page delivers content (a resume on return)', async () => {
  const page = await waitingPage(oneTrip());
  page.server.state.position = { step: 2, phrase: 0, second: 0 };
  page.send({ type: 'CONTENT', visit: page.server.visit() });
  expect(page.screen()).toBe('destination');
});

test('also requests missing content automatically', async () => {
  const page = await waitingPage(oneTrip());
  page.outbox.close();
  page.server.state.position = { step: 2, phrase: 0, second: 0 };
  page.server.state.network = 'up';
  await page.pass(ASK_AGAIN_MS + 50);
  expect(page.screen()).toBe('destination');
});
