import { expect, test } from 'vitest';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { readinessSentences, readinessTexts } from '../../src/texts/admin/readiness.ts';
import { readyTexts, reasonTexts } from '../../src/texts/admin/ready.ts';
import { certificateTexts } from '../../src/texts/certificate.ts';
import { defaults, type Outputs, visit } from '../support/admin-answers.ts';
import {
  answerWith,
  control,
  openPage,
  pass,
  press,
  sent,
  told,
  unreadable,
  words,
} from '../support/admin-page.tsx';

const HOME = '/admin/dashboard';
type Ready = Outputs['ready.read'];
const ready = (changes: Partial<Ready>): Ready => ({ ...defaults['ready.read'], ...changes }) as Ready;
const red = { id: 'main_video', level: 'red', page: '/admin/video', part: null } as const;
const heading = () => document.querySelector('h2')?.textContent;
const leads = (name: string) => control(name).getAttribute('href');

test('tells what is prepared and what lacks, with the way there', async () => {
  const prepared: Ready['prepared'] = [
    { id: 'main_video', state: 'missing', page: '/admin/video' },
    { id: 'code_soon', state: 'warning', page: '/admin/token' },
    { id: 'post_phrases', state: 'advice', page: '/admin/frasi' },
    { id: 'contact', state: 'ready', page: '/admin/serata' },
  ];
  const list = () => words().slice(words().indexOf(readinessTexts.title));
  const show = async (...states: Ready['prepared'][number]['state'][]) =>
    openPage(HOME, {
      'ready.read': ready({ prepared: prepared.filter(({ state }) => states.includes(state)) }),
    });
  await show('missing', 'warning', 'advice', 'ready');
  for (const part of [
    readinessTexts.notYet + readinessSentences.main_video.lacks,
    readinessTexts.warnedToo + readinessSentences.code_soon.lacks,
    readinessTexts.later + readinessSentences.post_phrases.lacks,
    readinessTexts.done(1) + readinessSentences.contact.there,
  ])
    expect(list()).toContain(part);
  expect(leads(readinessSentences.post_phrases.lacks)).toBe('/admin/frasi#frasi');
  await show('warning', 'advice');
  expect(list()).toContain(readinessTexts.warned);
  expect(list()).toContain(readinessTexts.later);
  await show('advice', 'ready');
  expect(list()).toContain(readinessTexts.ready);
  await show('ready');
  expect(list()).toContain(readinessTexts.complete);

  // Once it has begun it is folded up, unless something would disappoint.
  for (const [state, opened] of [
    ['missing', true],
    ['warning', true],
    ['advice', false],
  ] as const) {
    await openPage(HOME, {
      'ready.read': ready({ prepared: prepared.filter((item) => item.state === state) }),
      'sessions.list': { attive: [visit()], terminate: [], conteggi: { attive: 1, terminate: 0 } },
    });
    const { open } = control(readinessTexts.begun.summary).parentElement as HTMLDetailsElement;
    expect([state, open]).toEqual([state, opened]);
  }
});

test('tells what stands between the site and its certificate', async () => {
  const trouble = {
    kind: 'authority_away' as const,
    name: null,
    port: null,
    found: [] as string[],
    ours: [] as string[],
    detail: 'no answer',
  };
  const state = { names: ['sera.example'], valid_until: null, next_try: null, trouble: null };
  const past = '2026-06-01T10:00:00.000Z';
  const soon = '2026-06-12T10:00:00.000Z';
  const { title, titleOld, asking, soon: again, nextTry, servesUntil, expired, said } = certificateTexts;
  const rows: [Partial<NonNullable<Outputs['dashboard']['certificato']>>, string[] | null][] = [
    [{ valid_until: soon }, null],
    [{}, [title, asking]],
    [{ trouble }, [title, 'Chi rilascia i certificati non risponde.', again, said, 'no answer']],
    [{ trouble, valid_until: soon, next_try: soon }, [titleOld, nextTry(soon), servesUntil(soon)]],
    [{ valid_until: past }, [titleOld, asking, expired(past)]],
  ];
  for (const [changes, parts] of rows) {
    await openPage(HOME, { dashboard: { ...defaults.dashboard, certificato: { ...state, ...changes } } });
    for (const part of parts ?? []) expect(words()).toContain(part);
    expect([title, titleOld].some((one) => words().includes(one))).toBe(parts !== null);
  }
});

test('answers whether it is ready, why not, and has everything tried again', async () => {
  const amber = { id: 'opening_unset', level: 'amber', page: '/admin/serata', part: null } as const;
  const clock = { id: 'clock', level: 'red', page: '/admin/pronta', part: null } as const;
  const tickets = {
    id: 'tickets_2_font',
    level: 'amber',
    page: '/admin/second-trip-details',
    part: 'biglietti',
  } as const;
  const page = (url: string, finding: 'font' | null) => ({
    url,
    small_url: `${url}?w=1`,
    finding: finding as never,
  });
  const file = defaults['media.list']({ slot: 'biglietti_2' })[0] ?? expect.unreachable();
  await openPage('/admin/pronta', {
    'ready.read': ready({ verdict: 'not_ready', reasons: [red, clock, amber, tickets], asked_at: null }),
    'media.list': [{ ...file, pages: [page('/a.png', null), page('/b.png', 'font')] }],
  });
  expect([heading(), words()]).toEqual([readyTexts.notReady, expect.stringContaining(readyTexts.red(2))]);
  const goTo = (title: string) => leads(readyTexts.goTo(title));
  expect([goTo('Video'), goTo('La serata'), goTo('Dettagli secondo viaggio')]).toEqual([
    '/admin/video',
    '/admin/serata',
    '/admin/second-trip-details#biglietti',
  ]);
  // What only a new trial mends has its button above.
  expect(words()).not.toContain(readyTexts.goTo(adminPageTexts['/admin/pronta'].title));
  for (const part of [reasonTexts.clock, readyTexts.never, readyTexts.mend, readyTexts.unknown])
    expect(words()).toContain(part);
  expect([...document.querySelectorAll('a > img')].map((one) => one.getAttribute('src'))).toEqual([
    '/b.png?w=1',
  ]);

  answerWith({ 'ready.check': unreadable });
  await press(readyTexts.check);
  expect(told()).toEqual([`✗ ${readyTexts.checkFailed}`]);
  answerWith({ 'ready.check': {}, 'ready.read': ready({ progress: { done: 0, total: 0 } }) });
  await press(readyTexts.check);
  expect(words()).toContain(readyTexts.waiting);
  // Meanwhile it is asked how far it is, and not begun again.
  answerWith({ 'ready.read': ready({ progress: { done: 3, total: 12 } }) });
  await pass(1_500);
  expect(words()).toContain(readyTexts.checking(3, 12));
  await press(readyTexts.check);
  expect(sent('ready.check').length).toBe(2);
  answerWith({ 'ready.read': ready({ reasons: [amber] }) });
  await pass(1_500);
  expect([heading(), words()]).toEqual([readyTexts.ready, expect.stringContaining(readyTexts.open(1))]);
  expect(words()).toContain(readyTexts.asked('10 giu, 05:00:00'));
  answerWith({ 'ready.read': ready({}) });
  await press(readyTexts.check);
  expect(words()).toContain(readyTexts.allKnown);
  answerWith({ 'ready.read': ready({ verdict: 'over', reasons: [red] }) });
  await press(readyTexts.check);
  expect([heading(), leads(readyTexts.goTo(adminPageTexts['/admin/token'].title))]).toEqual([
    readyTexts.over,
    '/admin/token',
  ]);
  expect(words()).not.toContain(reasonTexts.main_video);
});
