import { expect, test, vi } from 'vitest';
import {
  checklistStepAction,
  checklistTexts,
  dashboardTexts,
  eveningTexts,
} from '../../src/texts/admin/dashboard.ts';
import { eveningPageTexts } from '../../src/texts/admin/evening.ts';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { repliesTexts } from '../../src/texts/admin/questions.ts';
import { readinessPageTexts, readinessSentences, reasonTexts } from '../../src/texts/admin/readiness.ts';
import { certificateTexts } from '../../src/texts/certificate.ts';
import { verdictText } from '../../src/texts/diagnosis.ts';
import {
  answer,
  code,
  config,
  defaults,
  NOW,
  type Outputs,
  refused,
  sentence,
  unreadable,
  visit,
  work,
} from '../support/admin-answers.ts';
import { press, showAgain } from '../support/admin-hand.ts';
import { alerts, control, field, pageText, phone } from '../support/admin-look.ts';
import { answerWith, arrived, openPage, pass, sent, takeNotices } from '../support/admin-page.tsx';
import { NO_SECOND_TRIP } from '../support/evenings.ts';

const HOME = '/admin/dashboard';
type Ready = Outputs['ready.read'];
const ready = (changes: Partial<Ready>): Ready => ({ ...defaults['ready.read'], ...changes }) as Ready;
const red = { id: 'main_video', level: 'red', page: '/admin/video', part: null } as const;
const heading = () => document.querySelector('h2')?.textContent;
const leads = (name: string) => control(name).getAttribute('href');
const checklistSteps = () =>
  [...document.querySelectorAll<HTMLElement>(`[aria-label="${checklistTexts.strip}"] > li`)].map(
    ({ dataset, textContent }) => [dataset['state'], textContent] as const,
  );

test('shows the state of the evening, the days left and the next step', async () => {
  await openPage(HOME);
  expect(heading()).toBe(`${checklistTexts.ready('nome-suo')} ${checklistTexts.left(20)}`);
  expect(leads(checklistTexts.handOver)).toBe('/admin/token');
  expect(pageText()).toContain(readinessPageTexts.allChecked);
  expect(checklistSteps().every(([state]) => state === 'done')).toBe(true);
  expect(checklistSteps().length).toBeGreaterThan(10);
  // The previews use the visitor's own scenes.
  expect([phone('Prima del video'), phone('Seconda destinazione')]).toEqual([
    expect.stringContaining('prima-uno'),
    expect.stringContaining('meta-due'),
  ]);

  // Every step is done, but a check fails.
  await showAgain({
    'ready.read': ready({
      verdict: 'not_ready',
      reasons: [
        { ...red, id: 'phone_bad', page: '/admin/telefoni' },
        { ...red, id: 'clock', page: '/admin/pronta' },
      ],
    }),
    'config.read': config({ recipient_name: null, opens_at: '2026-06-11T19:00:00.000Z' }),
  });
  expect(heading()).toBe(`${checklistTexts.nearly(null)} ${checklistTexts.left(1)}`);
  expect(leads(checklistTexts.mend)).toBe('/admin/telefoni');
  const readiness = control(new RegExp(`^${reasonTexts.phone_bad} ${readinessPageTexts.andMore(1)}`));
  expect(readiness.getAttribute('href')).toBe('/admin/pronta');
});

test('shows an empty surprise as a checklist with its current step', async () => {
  const reasons = [
    { ...red, id: 'pre_phrases', level: 'amber' } as const,
    ...(['main_video', 'post_phrases', 'usable_code'] as const).map((id) => ({ ...red, id })),
  ];
  const empty = config({
    recipient_name: 'Giulia',
    data_laurea: null,
    video_url: null,
    frasi: [],
    frasi_pre_video: [],
    ...NO_SECOND_TRIP,
  });
  await openPage(HOME, {
    'config.read': empty,
    'ready.read': ready({ verdict: 'not_ready', reasons }),
    'media.arrived': [work({ slot: 'video' })],
  });
  expect(heading()).toBe(checklistTexts.going('Giulia'));
  expect(checklistSteps().slice(0, 5)).toEqual([
    ['done', expect.stringContaining('Per chi è')],
    ['missing', expect.stringContaining(checklistTexts.optional)],
    ['working', expect.stringContaining(checklistTexts.states.working)],
    ['done', expect.stringContaining(`Canzone: ${checklistTexts.states.done}`)],
    ['missing', expect.stringContaining(checklistTexts.states.missing)],
  ]);
  // The phrases before the video were passed over, and the video is under way.
  const current = document.querySelector('[aria-current="step"]');
  expect(current?.textContent).toContain('Dopo il video');
  expect(leads(checklistStepAction({ name: 'phrases', viaggio: 1 }))).toBe('/admin/frasi#frasi');
  expect(pageText()).toContain(checklistTexts.step(5, checklistSteps().length));
});

test('leads an empty surprise from step to step, with the focus in the first field', async () => {
  const missing = [
    ...(['opening_unset', 'graduation_date', 'pre_phrases', 'main_video', 'song', 'post_phrases'] as const),
    ...([
      'picture_1',
      'tickets_1',
      'questions_1',
      'closing_phrases',
      'usable_code',
      'rehearsal_none',
    ] as const),
  ];
  const { at } = await openPage(
    HOME,
    {
      'config.read': config({
        ...NO_SECOND_TRIP,
        recipient_name: null,
        data_laurea: null,
        frasi_pre_video: [],
      }),
      'ready.read': ready({ reasons: missing.map((id) => ({ ...red, id })) }),
    },
    { framed: true },
  );
  await arrived();
  expect(pageText()).toContain(checklistTexts.begin(null));
  await press(checklistStepAction({ name: 'evening', viaggio: 1 }));
  await arrived();
  expect(at().pathname).toBe('/admin/serata');
  expect(document.activeElement).toBe(field(eveningPageTexts.recipient.label));
  const onward = (name: 'pre_phrases' | 'video') =>
    press(new RegExp(`^${checklistTexts.onwardTo({ name, viaggio: 1 })}\\.`));
  await onward('pre_phrases');
  await arrived();
  expect(at().pathname + at().hash).toBe('/admin/frasi#frasi_pre_video');
  expect(document.activeElement?.tagName).toBe('TEXTAREA');
  // A step of a file moves no focus into a text below it.
  await onward('video');
  await arrived();
  expect([at().pathname, document.activeElement?.id]).toEqual(['/admin/video', 'contenuto']);
});

test('follows the visitor through the evening, and shows the result at its end', async () => {
  const lists = (changes: Parameters<typeof visit>[0]): Outputs['sessions.list'] => ({
    attive: [visit(changes)],
    terminate: [],
    conteggi: { attive: 1, terminate: 0 },
  });
  await openPage(HOME, { 'sessions.list': lists({ position: { step: 2, phrase: 1, second: 0 } }) });
  const step = { stage: 'phrases', viaggio: 1 } as const;
  expect(heading()).toBe(eveningTexts.isAt('Giulia', step));
  expect(pageText()).toContain(eveningTexts.began('10 minuti fa'));
  expect(pageText().includes(eveningTexts.hidden)).toBe(false);
  expect(leads(eveningTexts.follow)).toBe('/admin/sessions');
  // The visitor's current phrase.
  expect(phone('Dopo il video')).toContain('dopo-due');
  expect(pageText()).toContain(checklistTexts.live);

  await showAgain({
    'sessions.list': lists({ background: true, token_value: 'ROM-VIA' }),
    'answers.list': [answer()],
  });
  expect(heading()).toBe(eveningTexts.isAt(eveningTexts.codeOf('ROM-VIA'), { stage: 'video', viaggio: 1 }));
  expect(pageText()).toContain(eveningTexts.hidden);
  expect(document.querySelector(`[aria-label="${eveningTexts.answers}"]`)?.textContent).toBe(
    'Partiamo insieme?SìCena sul mare?No',
  );

  await showAgain({
    'sessions.list': lists({ state: 'paused', is_active: false }),
    'tokens.list': [code({ accessi_usati: 2 })],
  });
  expect(heading()).toBe(eveningTexts.rests('Giulia', { stage: 'video', viaggio: 1 }));
  expect(pageText()).toContain(eveningTexts.until('tra 24 ore'));
  // What would fail is told to the end, what should be prepared only before the start.
  const amber = { id: 'phone_untried', level: 'amber', page: '/admin/telefoni', part: null } as const;
  const reasons = [{ ...red, id: 'song_broken' } as const, amber];
  const readinessLine = () =>
    [...document.querySelectorAll('a[href="/admin/pronta"]')].find((link) => link.closest('nav') === null)
      ?.textContent;
  const inside = { 'sessions.list': lists({}) };
  await showAgain({ ...inside, 'ready.read': ready({ reasons: [amber] }) });
  expect(readinessLine()).toBeUndefined();
  await showAgain({ ...inside, 'ready.read': ready({ verdict: 'not_ready', reasons }) });
  expect(readinessLine()).toContain(reasonTexts.song_broken);

  const over = visit({ state: 'ended', is_active: false, completed_at: '2026-06-10T17:59:00.000Z' });
  const terminate = { attive: [], terminate: [over], conteggi: { attive: 0, terminate: 1 } };
  const used = {
    'tokens.list': [code({ accessi_usati: 2 })],
    'sessions.list': terminate,
    'ready.read': ready({ verdict: 'over', reasons }),
  };
  await showAgain({
    ...used,
    'answers.list': [answer(), answer({ id: '2', viaggio: 2, risposta_2: true })],
    'answers.replies': [
      { session_id: 'altra', token_value: 'x', nome: '', testo: 'Di un’altra sera', at: NOW.toISOString() },
      { session_id: over.id, token_value: 'x', nome: '', testo: 'Sì,\nsempre.', at: NOW.toISOString() },
    ],
  });
  expect(pageText()).toContain(`${repliesTexts.title}Sì,\nsempre.`);
  expect(pageText()).not.toContain('Di un’altra sera');
  expect(readinessLine()).toBeUndefined();
  expect(heading()).toBe(eveningTexts.over.mixed);
  expect(pageText()).toContain(eveningTexts.who('Giulia', '10 giugno 2026 alle ore 19:59'));
  expect(document.querySelector(`[aria-label="${eveningTexts.answers}"]`)?.textContent).toBe(
    'Primo viaggioPartiamo insieme?SìCena sul mare?NoSecondo viaggioPartiamo insieme?SìCena sul mare?Sì',
  );
  expect(leads(eveningTexts.allAnswers)).toBe('/admin/sessions#risposte');
  expect(leads(eveningTexts.codes)).toBe('/admin/token');
  await showAgain(used);
  expect([heading(), pageText().includes(eveningTexts.allAnswers)]).toEqual([eveningTexts.over.none, false]);
});

test('shows totals and the latest tested phone, and folds the pages on a phone', async () => {
  const phone = {
    id: 'telefono-1',
    nome: 'Il telefono di Giulia',
    at: NOW.toISOString(),
    user_agent: visit().user_agent,
    findings: {},
    verdict: 'beware' as const,
    faults: ['in_app' as never],
    untried: [],
  };
  await openPage(HOME, { 'diagnosis.list': { passes: [], phones: [phone, { ...phone, nome: '' }] } });
  await arrived();
  const { stats, pages } = dashboardTexts;
  expect(pageText()).toContain(`${stats.accessi_totali}12.345`);
  expect(leads(verdictText('beware', 'Il telefono di Giulia'))).toBe('/admin/telefoni');
  const isOpen = () => (control(pages).parentElement as HTMLDetailsElement).open;
  expect(isOpen()).toBe(true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  await openPage(HOME);
  expect(isOpen()).toBe(false);
});

test('redirects to the sign-in page without a session, and shows an error if the session is unknown', async () => {
  const { at } = await openPage('/admin/cestino', { me: refused('SIGN_IN_REQUIRED') }, { framed: true });
  await arrived();
  await arrived();
  expect([at().pathname, sent('bin.list')]).toEqual(['/admin', []]);
  await openPage('/admin/cestino', { me: refused('NOT_FOUND') }, { framed: true });
  await arrived();
  expect(alerts()).toEqual([sentence('NOT_FOUND') + commonTexts.retry]);
  answerWith({ me: defaults.me });
  await press(commonTexts.retry);
  await arrived();
  expect(document.title).toBe(adminPageTexts['/admin/cestino'].title);
});

test('shows problems with the site’s certificate', async () => {
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
  const { title, titleOld, requesting, soon: again, nextTry, servesUntil, expired } = certificateTexts;
  const rows: [Partial<NonNullable<Outputs['dashboard']['certificato']>>, string[] | null][] = [
    [{ valid_until: soon }, null],
    [{}, [title, requesting]],
    [{ trouble }, [title, 'Chi rilascia i certificati non risponde.', again, 'no answer']],
    [{ trouble, valid_until: soon, next_try: soon }, [titleOld, nextTry(soon), servesUntil(soon)]],
    [{ valid_until: past }, [titleOld, requesting, expired(past)]],
  ];
  await openPage(HOME);
  for (const [changes, parts] of rows) {
    await showAgain({ dashboard: { ...defaults.dashboard, certificato: { ...state, ...changes } } });
    for (const part of parts ?? []) expect(pageText()).toContain(part);
    expect([title, titleOld].some((one) => pageText().includes(one))).toBe(parts !== null);
  }
});

test('shows the readiness verdict with its reasons, and runs all checks again', async () => {
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
  expect([heading(), pageText()]).toEqual([
    readinessPageTexts.notReady,
    expect.stringContaining(readinessPageTexts.red(2)),
  ]);
  const goTo = (title: string) => leads(readinessPageTexts.goTo(title));
  expect(goTo('Video')).toBe('/admin/video');
  expect(goTo('La serata')).toBe('/admin/serata');
  expect(goTo('Dettagli secondo viaggio')).toBe('/admin/second-trip-details#biglietti');
  // A reason that only a new check can clear has no link; the check button is above.
  expect(pageText()).not.toContain(readinessPageTexts.goTo(adminPageTexts['/admin/pronta'].title));
  for (const part of [reasonTexts.clock, readinessPageTexts.neverChecked]) expect(pageText()).toContain(part);
  expect([...document.querySelectorAll('a > img')].map((one) => one.getAttribute('src'))).toEqual([
    '/b.png?w=1',
  ]);

  // What is missing but optional is apart from what is unknown, and what is in place is below.
  const song = { id: 'song', level: 'amber', page: '/admin/musica', part: null } as const;
  const contact = { id: 'contact', level: 'amber', page: '/admin/serata', part: null } as const;
  await showAgain({
    'ready.read': ready({
      verdict: 'not_ready',
      reasons: [red, amber, song, contact],
      prepared: [
        { id: 'contact', state: 'advice', page: '/admin/serata' },
        { id: 'post_phrases', state: 'ready', page: '/admin/frasi' },
      ],
    }),
  });
  expect(
    [...document.querySelectorAll('section:has(h2)')].map((one) =>
      one.textContent?.replace(/Vai a «[^»]+»/g, ''),
    ),
  ).toEqual([
    readinessPageTexts.toFix + reasonTexts.main_video,
    readinessPageTexts.optional + reasonTexts.song + reasonTexts.contact,
    readinessPageTexts.unknown + reasonTexts.opening_unset,
  ]);
  expect(pageText()).toContain(readinessPageTexts.inPlace(1));
  expect(leads(readinessSentences.post_phrases.there)).toBe('/admin/frasi#frasi');

  answerWith({ 'ready.check': unreadable });
  await press(readinessPageTexts.check);
  expect(takeNotices()).toEqual([`✗ ${readinessPageTexts.checkFailed}`]);
  answerWith({ 'ready.check': {}, 'ready.read': ready({ progress: { done: 0, total: 0 } }) });
  await press(readinessPageTexts.check);
  expect(pageText()).toContain(readinessPageTexts.waiting);
  // During the check its progress is polled, and no second check starts.
  answerWith({ 'ready.read': ready({ progress: { done: 3, total: 12 } }) });
  await pass(1_500);
  expect(pageText()).toContain(readinessPageTexts.checking(3, 12));
  await press(readinessPageTexts.check);
  expect(sent('ready.check').length).toBe(2);
  answerWith({ 'ready.read': ready({ reasons: [amber] }) });
  await pass(1_500);
  expect([heading(), pageText()]).toEqual([
    readinessPageTexts.ready,
    expect.stringContaining(readinessPageTexts.open(1)),
  ]);
  expect(pageText()).toContain(readinessPageTexts.lastChecked('10 giu, 05:00:00'));
  answerWith({ 'ready.read': ready({}) });
  await press(readinessPageTexts.check);
  expect(pageText()).toContain(readinessPageTexts.allChecked);
  answerWith({ 'ready.read': ready({ verdict: 'over', reasons: [red] }) });
  await press(readinessPageTexts.check);
  expect(heading()).toEqual(readinessPageTexts.over);
  expect(leads(readinessPageTexts.goTo(adminPageTexts['/admin/token'].title))).toBe('/admin/token');
  expect(pageText()).not.toContain(reasonTexts.main_video);
});
