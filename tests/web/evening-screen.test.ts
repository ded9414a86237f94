import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
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
