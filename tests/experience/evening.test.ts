import { expect, test } from 'vitest';
import { NO_QUESTIONS } from '../../src/domain/configuration.ts';
import type { Snapshot } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { availableTickets, currentStage, exitReason, mayContinue } from '../../src/experience/selectors.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live, pageAt, VISITOR } from './support/visitor.ts';

/** Runs the evening with a visitor who reacts at once. Each line is the second and the screen's content. */
async function evening(snapshot: Snapshot, answers: readonly [boolean, boolean] = [true, true]) {
  const page = openPage(serverOf(snapshot));
  await live(page, { visitor: { ...VISITOR, answers } });
  return { page, lines: page.screens.map(({ at, screen }) => `${at / 1_000} ${screen}`) };
}

/** Returns the seconds from the first line that begins with `from` to the next that begins with `to`. */
function between(lines: string[], from: string, to: string): number {
  const start = lines.findIndex((line) => line.includes(` ${from}`));
  const end = lines.findIndex((line, index) => index > start && line.includes(` ${to}`));
  return (
    Math.round((Number.parseFloat(lines[end] ?? 'NaN') - Number.parseFloat(lines[start] ?? 'NaN')) * 1_000) /
    1_000
  );
}

test('shows two trips with exact times', async () => {
  const { page, lines } = await evening(twoTrips());
  expect(lines).toMatchInlineSnapshot(`
    [
      "0 loading",
      "0 pre_phrases 1",
      "0 pre_phrases 1: Prima",
      "6 pre_phrases 1: Prima …",
      "6.9 pre_phrases 1: Del video",
      "12.9 video 1",
      "24.9 phrases 1",
      "24.9 phrases 1: Dopo",
      "30.9 phrases 1: Dopo …",
      "31.8 phrases 1: Il",
      "37.8 phrases 1: Il …",
      "38.7 phrases 1: Video",
      "44.7 phrases 1: Video …",
      "45.7 destination 1",
      "52.5 card 1",
      "54 questions 1",
      "54 thanks 1, both yes",
      "59 between_phrases 2",
      "59 between_phrases 2: Non è finita",
      "65 phrases 2",
      "65 phrases 2: Secondo",
      "71 phrases 2: Secondo …",
      "71.9 phrases 2: Viaggio",
      "77.9 phrases 2: Viaggio …",
      "78.9 destination 2",
      "85.7 card 2",
      "87.2 questions 2",
      "87.2 thanks 2, both yes",
      "92.2 closing 2",
      "92.2 closing 2: Fine",
      "98.2 closing 2: Fine …",
      "99.1 closing 2: Davvero",
      "105.1 closing 2: Davvero …",
      "108.1 completing",
      "108.1 closing 2",
    ]
  `);
  expect(exitReason(page.snapshot())).toEqual({ because: 'ended' });
  expect(page.server.state.completed).toBe(true);
});

test.each([
  [[true, true], 'Sì sì'],
  [[false, false], 'No no'],
  [[false, true], 'Un sì e un no'],
] as const)('closes the answers %j with «%s»', async (answers, phrase) => {
  const { page, lines } = await evening(oneTrip(), answers);
  expect(between(lines, 'thanks 1', 'closing 1')).toBe(5);
  expect(between(lines, `closing 1: ${phrase}`, 'completing')).toBe(20);
  expect(page.thanks()).toEqual([answers.every(Boolean) ? 'thanks 1, both yes' : 'thanks 1']);
  expect(page.calls('notify')).toEqual([]);
  expect(page.calls('trackExit').map(({ detail }) => detail)).toEqual(['after_checkboxes']);
});

test('shows phrases for the configured seconds', async () => {
  const durata_frase_secondi = 15;
  const { lines } = await evening(twoTrips({ config: { durata_frase_secondi } }));
  expect(between(lines, 'pre_phrases 1: Prima', 'pre_phrases 1: Prima …')).toBe(durata_frase_secondi);
  expect(between(lines, 'pre_phrases 1: Prima …', 'pre_phrases 1: Del video')).toBe(0.9);
  expect(between(lines, 'pre_phrases 1: Del video', 'video')).toBe(durata_frase_secondi);
  expect(between(lines, 'between_phrases 2: Non è finita', 'phrases 2')).toBe(durata_frase_secondi);
  expect(between(lines, 'phrases 2: Viaggio', 'destination 2')).toBe(durata_frase_secondi + 1);
  expect(between(lines, 'closing 2: Davvero', 'completing')).toBe(durata_frase_secondi + 3);
});

test('shows a phrase longer than configured if reading takes longer', async () => {
  const long = 'Una frase lunga, che chiede più dei secondi scelti'.padEnd(150, '!');
  const config = { frasi_pre_video: ['Breve', long, 'Dopo'], frasi: ['Breve', long, 'Dopo'] };
  const { lines } = await evening(
    oneTrip({ config: { ...config, durata_frase_secondi: 4, frasi_secondi_esatti: ['frasi'] } }),
  );
  expect(between(lines, 'pre_phrases 1: Breve', `pre_phrases 1: ${long}`)).toBe(4.5);
  expect(between(lines, `pre_phrases 1: ${long}`, `pre_phrases 1: ${long} …`)).toBe(14.5);
  expect(between(lines, `phrases 1: ${long}`, `phrases 1: ${long} …`)).toBe(4);
});

test('shows a closing phrase longer than 20 s if reading takes longer', async () => {
  const frasi_finali = { entrambi_si: 'x'.repeat(300), entrambi_no: '', misto: '' };
  const { lines } = await evening(oneTrip({ config: { frasi_finali } }), [true, true]);
  expect(between(lines, `closing 1: ${frasi_finali.entrambi_si}`, 'completing')).toBe(27);
});

test('shows a picture for the configured seconds after its title', async () => {
  const { lines } = await evening(twoTrips({ config: { durata_immagine_destinazione_secondi: 30 } }));
  expect(between(lines, 'destination 1', 'card 1')).toBe(31.8);
  expect(between(lines, 'destination 2', 'card 2')).toBe(31.8);
});

test('ends 2 s after the last answer if there is no closing phrase, with its notice', async () => {
  const { page, lines } = await evening(oneTrip({ config: { frasi_finali: null } }), [false, false]);
  const closing = page.screens.find(({ screen }) => screen === 'closing 1');
  expect(closing?.at).toBe(page.calls('sendAnswers')[0]?.at);
  expect(between(lines, 'closing 1', 'completing')).toBe(2);
  expect(page.thanks()).toEqual([]);
  expect(page.calls('notify').map(({ detail }) => detail)).toEqual([{ kind: 'completed', bothYes: false }]);
});

const firstTripQuestions = {
  config: { frasi_finali_secondo_viaggio: [] },
  questions: { domanda_1_viaggio_2: null, domanda_2_viaggio_2: null },
};

test.each([
  ['the same page', false],
  ['a page loaded again after the answers', true],
])('confirms the answers at the end if only the first trip has questions: %s', async (_name, again) => {
  const server = serverOf(twoTrips(firstTripQuestions));
  const first = openPage(server);
  await live(first, { until: ({ screen }) => screen() === 'between_phrases' });
  if (again) first.close();
  const page = again ? openPage(server, { clock: first.clock, device: first.device }) : first;
  await live(page);
  const notices = page.calls('notify').map(({ detail }) => detail);
  expect(page.thanks()).toEqual(again ? [] : ['thanks 1, both yes']);
  expect(notices).toEqual([{ kind: 'completed', bothYes: true }]);
});

test("uses the second trip's answers for the notice after a resume", async () => {
  const snapshot = twoTrips({ config: { frasi_finali_secondo_viaggio: [] } });
  const last = { step: itinerary(snapshot).length - 1, phrase: 0, second: 0 };
  const page = openPage(
    serverOf(snapshot, last, [
      { viaggio: 1, risposta_1: true, risposta_2: true },
      { viaggio: 2, risposta_1: false, risposta_2: true },
    ]),
  );
  await live(page);
  expect(page.calls('notify').at(-1)?.detail).toEqual({ kind: 'completed', bothYes: false });
});

test('closes with the success notice if there are no questions', async () => {
  const { page, lines } = await evening(oneTrip({ questions: NO_QUESTIONS }));
  expect(lines.some((line) => line.includes('questions'))).toBe(false);
  expect(between(lines, 'card 1', 'closing 1')).toBe(1.5);
  expect(between(lines, 'closing 1', 'completing')).toBe(2);
  expect(page.calls('notify').at(-1)?.detail).toEqual({ kind: 'completed', bothYes: null });
});

test('continues with «Continua» at once on a card without tickets only', async () => {
  const without = await pageAt('card', oneTrip({ config: { biglietti_url: null } }));
  without.send({ type: 'DOWNLOAD' });
  expect(without.screen()).toBe('card');
  expect(without.calls('notify')).toEqual([]);
  without.send({ type: 'CONTINUE' });
  expect(without.screen()).toBe('questions');

  const withTickets = await pageAt('card', oneTrip());
  withTickets.send({ type: 'CONTINUE' });
  await withTickets.pass(60_000);
  expect(withTickets.screen()).toBe('card');
});

test.each([[['VIEW', 'VIEW_CLOSED']], [['SHARE']], [['DOWNLOAD']]] as const)(
  'continues with «Continua» after %j, and not automatically before a download',
  async (types) => {
    const page = await pageAt('card', oneTrip());
    for (const type of types) page.send({ type });
    if (types[0] !== 'DOWNLOAD') await page.pass(60_000);
    expect([page.screen(), mayContinue(page.snapshot())]).toEqual(['card', true]);
    page.send({ type: 'CONTINUE' });
    expect(page.screen()).toBe('questions');
  },
);

test('keeps the card usable for 1.5 s after the download and reports its result on any screen', async () => {
  const page = await pageAt('card', oneTrip());
  page.send({ type: 'DOWNLOAD' });
  await page.pass(1_400);
  page.send({ type: 'DOWNLOAD' });
  expect([page.screen(), page.calls('notify')]).toEqual(['card', []]);
  page.send({ type: 'DOWNLOAD_FAILED' });
  await page.pass(100);
  expect(page.screen()).toBe('questions');
  page.send({ type: 'DOWNLOAD_STARTED' });
  expect(page.calls('notify').map(({ detail }) => detail)).toEqual([
    { kind: 'download_failed' },
    { kind: 'download_started' },
  ]);
});

test('pauses while the tickets are open, hidden or not, and resumes with the time left', async () => {
  const page = await pageAt('card', twoTrips());
  page.send({ type: 'DOWNLOAD' });
  await page.pass(500);
  page.send({ type: 'VIEW' });
  page.send({ type: 'HIDDEN' });
  page.send({ type: 'SHOWN' });
  await page.pass(60_000);
  expect(page.screen()).toBe('card');
  page.send({ type: 'HIDDEN' });
  page.send({ type: 'VIEW_CLOSED' });
  await page.pass(60_000);
  expect(page.screen()).toBe('card');
  page.send({ type: 'SHOWN' });
  await page.pass(950);
  expect(page.screen()).toBe('card');
  await page.pass(50);
  expect(page.screen()).toBe('questions');
});

test('restarts a phrase after the tickets over it are closed', async () => {
  const page = await pageAt('between_phrases', twoTrips());
  page.send({ type: 'VIEW' });
  await page.pass(60_000);
  expect(page.screens.at(-1)?.screen).toBe('between_phrases 2: Non è finita');
  const closedAt = page.clock.now();
  page.send({ type: 'VIEW_CLOSED' });
  await live(page, { until: ({ snapshot }) => currentStage(snapshot())?.content.stage === 'phrases' });
  expect(page.clock.now() - closedAt).toBe(6_000);
});

test('offers the tickets stage by stage', async () => {
  const page = openPage(serverOf(twoTrips()));
  const seen = new Map<string, string>();
  await live(page, {
    each: ({ snapshot }) => {
      const stage = currentStage(snapshot())?.content;
      const trips = availableTickets(snapshot()).map(({ viaggio }) => viaggio);
      if (stage !== undefined && trips.length > 0)
        seen.set(`${stage.stage} ${stage.viaggio}`, trips.join(' '));
    },
  });
  expect(Object.fromEntries(seen)).toEqual({
    'card 1': '1',
    'questions 1': '1',
    'card 2': '2',
    'questions 2': '2',
    'closing 2': '2 1',
  });
});

test('waits for the fonts before the first phrase only, for 800 ms at most', async () => {
  const slow = openPage(serverOf(twoTrips()), { fontsReady: false });
  await live(slow);
  const lines = slow.screens.map(({ at, screen }) => `${at / 1_000} ${screen}`);
  expect(between(lines, 'pre_phrases 1', 'pre_phrases 1: Prima')).toBe(0.8);
  expect(between(lines, 'phrases 1', 'phrases 1: Dopo')).toBe(0);

  const quick = openPage(serverOf(twoTrips()), { fontsReady: false });
  await quick.pass(300);
  quick.send({ type: 'FONTS_READY' });
  await quick.pass(0);
  expect(quick.screens.at(-1)).toEqual({ at: 300, screen: 'pre_phrases 1: Prima' });
});

test('reports the position at each stage, each phrase and every 5 seconds of the video', async () => {
  const { page } = await evening(oneTrip());
  expect(page.calls('report').map(({ detail }) => Object.values(detail as object).join(' '))).toEqual([
    '0 0 0',
    '0 1 0',
    '1 0 0',
    '1 0 5',
    '1 0 10',
    '2 0 0',
    '2 1 0',
    '2 2 0',
    '3 0 0',
    '4 0 0',
    '5 0 0',
    '6 0 0',
  ]);
});
