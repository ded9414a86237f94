import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { experienceTexts } from '../../src/texts/experience.ts';
import { planBTexts } from '../../src/texts/keepsake.ts';
import { rehearsalTexts as texts } from '../../src/texts/rehearsal.ts';
import { Evening as PlanBEvening } from '../../src/web/plan-b/evening.tsx';
import { PlanB } from '../../src/web/plan-b/page.tsx';
import { RehearsalPage } from '../../src/web/visitor/rehearsal/page.tsx';
import { useRehearsal } from '../../src/web/visitor/rehearsal/use-opening.ts';
import { oneTrip } from '../experience/support/content.ts';
import { type StandInMedia, standInMedia } from './support/media.ts';
import { lost, pass, readPage, refused, replyWith, stubFetch, tap } from './support/page.ts';

/** The evening without a visit: the rehearsal, and Piano B opened from a file on the phone. */

let film: StandInMedia;
beforeEach(() => {
  vi.useFakeTimers();
  ({ film } = standInMedia());
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
});
const until = async (part: string) => {
  for (let passed = 0; !readPage().includes(part); passed += 250) {
    if (passed > 60_000) throw new Error(`«${part}» never came: ${readPage().join(' | ')}`);
    await pass(250);
  }
};
/** Taps these answers in turn. */
const answer = async (...choices: string[]) => {
  for (const name of choices) {
    await tap(name);
    await pass(2_000);
  }
};

describe('rehearsal', () => {
  const content = (as: string) => replyWith({ as, snapshot: oneTrip(), version: 'v1' });
  const bar = [texts.nextPhrase, texts.skip, texts.again, texts.leave];
  const enabledButtons = () => bar.filter((name) => readPage().includes(`[${name}]`));
  let read: Parameters<typeof stubFetch>[0][string];
  async function open(as = 'admin') {
    read = content(as);
    const calls = stubFetch({ rehearsal: (body) => read(body), 'rehearsal/seen': replyWith({}) });
    render(<RehearsalPage />);
    await pass();
    return calls;
  }

  test('advances by its bar, which stays usable over the film', async () => {
    await open();
    await until('Prima');
    expect(enabledButtons()).toEqual(bar);
    fireEvent.change(screen.getByLabelText(texts.pace), { target: { value: 'fast' } });
    await tap(texts.nextPhrase);
    await pass(1_400);
    expect(readPage()).toContain('Del video');
    await pass(1_000);
    // During the film the bar is inside the element that becomes full screen.
    expect(document.querySelector('[data-over="film"]')?.contains(screen.getByLabelText(texts.pace))).toBe(
      true,
    );
    await tap(texts.skip);
    await until('Dopo');
    expect(document.querySelector('[data-over="film"]')).toBeNull();
  }, 60_000);

  test('asks its questions, which can’t be skipped, and can start again from them', async () => {
    const calls = await open();
    await until('Prima');
    for (let turns = 0; turns < 20 && !readPage().includes('# Uno?'); turns += 1) {
      await tap(texts.skip);
      await pass(500);
    }
    expect(readPage()).toContain(`[${texts.skip} off]`);
    await tap(texts.skip);
    expect(readPage()).toContain(`status: ${texts.cannotSkip}`);
    await pass(5_000);
    expect(readPage()).not.toContain(`status: ${texts.cannotSkip}`);
    await answer(experienceTexts.yes, experienceTexts.no);
    await until('Un sì e un no');
    await tap(texts.skip);
    await until(`# ${texts.endTitle}`);
    expect(readPage()).toEqual([
      `# ${texts.endTitle}`,
      `# ${texts.shown}`,
      'Un sì e un no',
      texts.answerLine(1, experienceTexts.yes, experienceTexts.no),
      texts.nothingKept,
      ...[texts.fromQuestions, texts.again, texts.leave].map((name) => `[${name}]`),
    ]);
    expect(calls.of('rehearsal/seen')).toMatchObject([{ version: 'v1' }]);
    await tap(texts.fromQuestions);
    await until('# Uno?');
    expect(film.getAttribute('src')).toBeNull();
  }, 60_000);

  test('leads a guest to an end page and the administrator to the preview when left', async () => {
    const assigned = vi.spyOn(location, 'assign').mockReturnValue();
    await open();
    await until('Prima');
    await tap(texts.leave);
    expect(assigned.mock.calls).toEqual([['/admin/preview']]);
    document.body.replaceChildren();
    await open('guest');
    await until('Prima');
    await tap(texts.leave);
    expect(readPage()).toEqual([`# ${texts.leftTitle}`, texts.left, `[${texts.again}]`]);
    await tap(texts.again);
    await until('Prima');
  });

  describe('opening', () => {
    let opening: ReturnType<typeof useRehearsal>;
    const happens = (event: Event, on: Window | Document = window) => (fireEvent(on, event), pass());
    const turn = (state: 'hidden' | 'visible') => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(state === 'hidden');
      return happens(new Event('visibilitychange'), document);
    };
    async function use(answer: typeof read, hash = '', enter: typeof read = replyWith({})) {
      history.replaceState(null, '', `/prova${hash}`);
      read = answer;
      const calls = stubFetch({
        rehearsal: (body) => read(body),
        'rehearsal/enter': (body) => entered(body),
      });
      let entered = enter;
      renderHook(() => (opening = useRehearsal()));
      await pass();
      const again = async (other: typeof read) => {
        entered = other;
        await act(async () => opening.open());
        await pass();
      };
      return { paths: () => calls.asked.map(({ path }) => path), again };
    }

    test('uses the pass of its address once, and retries it after a lost reply', async () => {
      const { paths, again } = await use(content('guest'), '#pass', lost);
      expect([opening.opening.state, paths()]).toEqual(['failed', ['rehearsal/enter']]);
      await again(replyWith({}));
      expect(opening.opening).toMatchObject({ state: 'open', as: 'guest', run: 2 });
      await again(replyWith({}));
      expect(opening.opening).toMatchObject({ state: 'open', run: 3 });
      expect(paths().slice(1)).toEqual(['rehearsal/enter', 'rehearsal', 'rehearsal']);
      // Another scanned pass opens it again; an address without a pass does not.
      await happens(new Event('hashchange'));
      expect(paths()).toHaveLength(4);
      history.replaceState(null, '', '/prova#another');
      await happens(new Event('hashchange'));
      expect(opening.opening).toEqual(expect.objectContaining({ state: 'open', run: 4 }));
      expect(paths().slice(4)).toEqual(['rehearsal/enter', 'rehearsal']);
    });

    test('checks a guest’s pass while the page is visible, and ends with it', async () => {
      const { paths } = await use(content('guest'));
      read = lost;
      await pass(30_000);
      await turn('hidden');
      await pass(30_000);
      expect([paths().length, opening.opening.state]).toEqual([2, 'open']);
      read = refused('REHEARSAL_OVER', {}, 401);
      await turn('visible');
      await pass(60_000);
      expect([paths().length, opening.opening]).toEqual([3, { state: 'over' }]);
      cleanup();
      const admin = await use(content('admin'));
      await pass(30_000);
      expect(admin.paths()).toHaveLength(1);
    });
  });
});

describe('Piano B', () => {
  const opened = (snapshot = oneTrip()) =>
    ({ manifest: { opens_at: null }, snapshot, tickets: () => 'blob:tickets' }) as never;

  test('shows that an incomplete page can’t be opened', async () => {
    render(<PlanB />);
    await pass();
    expect(readPage()).toContain(`alert: ${planBTexts.notWhole}`);
    expect(readPage().at(-1)).toBe(planBTexts.footer);
  });

  test('plays the evening without a server, and offers the answers for manual sending', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const again = vi.fn();
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    const content = oneTrip({ config: { video_url: '/v.mp4', frasi_pre_video: [], biglietti_url: null } });
    render(<PlanBEvening opened={opened(content)} onAgain={again} />);
    await until(`[${experienceTexts.preparingVideo} off]`);
    Object.assign(film, { readyState: 4, duration: 5, ranges: [[0, 5]] });
    film.dispatch('loadedmetadata', 'progress', 'canplay');
    await pass(500);
    await tap('Inizia Esperienza');
    for (let second = 1; second <= 5; second += 1) {
      film.currentTime = second;
      film.dispatch('timeupdate');
      await pass(1_000);
    }
    Object.assign(film, { ended: true, paused: true });
    film.dispatch('ended');
    await until('[Continua]');
    await tap('Continua');
    await until('# Uno?');
    await answer(experienceTexts.yes, experienceTexts.no);
    await until(`# ${planBTexts.endTitle}`);
    const message = `${planBTexts.message}:\nUno? ${experienceTexts.yes}\nDue? ${experienceTexts.no}`;
    await tap(planBTexts.copy);
    expect(copied.mock.calls).toEqual([[message]]);
    expect(readPage()).toContain(`status: ${planBTexts.copied}`);
    await tap(planBTexts.again);
    expect(again).toHaveBeenCalledOnce();
  }, 60_000);
});
