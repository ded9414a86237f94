import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { questionsOf } from '../../src/experience/selectors.ts';
import { EveningScreen } from '../../src/web/visitor/experience/evening-screen.tsx';
import { oneTrip } from '../experience/support/content.ts';
import { type Evening, openPage } from '../experience/support/evening.ts';
import { serverOf } from '../experience/support/server.ts';
import { live } from '../experience/support/visitor.ts';

/** What stands on her screen while something is waited for: the real chart with simulated time, drawn without a browser. */

const drawn = ({ actor }: Evening) => renderToStaticMarkup(createElement(EveningScreen, { actor }));

test('while the evening is loaded there is no spinner, only a quiet sentence', () => {
  const page = openPage(serverOf(oneTrip()));
  expect(page.screen()).toBe('loading');
  expect(drawn(page)).toMatch(
    /<section[^>]* data-quiet="true" role="status"><p[^>]*>Un attimo…<\/p><\/section>/,
  );
});

test('her answers are being sent; where that fails they are kept, and she is told', async () => {
  const page = openPage(serverOf(oneTrip()));
  await live(page, { until: ({ screen }) => screen() === 'questions' });
  page.server.state.network = 'lost';
  page.send({ type: 'ANSWER', question: 1, value: true });
  expect(drawn(page)).not.toContain('<p>Invio');
  page.send({ type: 'ANSWER', question: 2, value: false });
  expect(drawn(page)).toContain('<p>Invio le risposte…</p>');
  await page.pass(0);
  expect(drawn(page)).toContain(
    '<p>Le tue risposte sono salvate e verranno inviate appena torna la rete.</p>',
  );
});

test('an answer is given in the tap itself, not in a task after it, when Back may have led elsewhere', async () => {
  const taps: Array<(question: 1 | 2, value: boolean) => void> = [];
  onTestFinished(() => {
    vi.doUnmock('../../src/web/scenes/questions.tsx');
    vi.resetModules();
  });
  vi.resetModules();
  vi.doMock('../../src/web/scenes/questions.tsx', () => ({
    Questions: ({ onAnswer }: { onAnswer: (typeof taps)[0] }) => void taps.push(onAnswer),
  }));
  const { EveningScreen: Screen } = await import('../../src/web/visitor/experience/evening-screen.tsx');
  const page = openPage(serverOf(oneTrip()));
  await live(page, { until: ({ screen }) => screen() === 'questions' });
  renderToStaticMarkup(createElement(Screen, { actor: page.actor }));
  taps[0]?.(1, true);
  expect(questionsOf(page.actor.getSnapshot()).chosen).toEqual({ risposta_1: true });
});
