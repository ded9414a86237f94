import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Level } from '../../src/experience/song/fade.ts';
import { createSongPlayer, type Voice } from '../../src/experience/song/song.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Two voices and the page around them. */
function room(options: { volume?: boolean; gain?: boolean } = {}) {
  const { volume = true, gain = false } = options;
  const page = { hidden: false, refusal: null as string | null, taps: [] as (() => void)[], silences: 0 };
  const voices = [voice(), voice()] as const;

  function voice() {
    const log = { url: '', plays: 0, paused: true, levels: [] as number[] };
    const level: Level = (value) => log.levels.push(value);
    const made: Voice = {
      cue: (url) => {
        log.url = url;
      },
      play: async () => {
        log.plays += 1;
        if (page.refusal !== null) throw Object.assign(new Error('no'), { name: page.refusal });
        log.paused = false;
      },
      pause: () => {
        log.paused = true;
      },
      level: () => (volume ? level : null),
      fader: async () => (volume || gain ? level : null),
    };
    return { log, made };
  }

  const player = createSongPlayer({
    voice: (viaggio) => voices[viaggio - 1]?.made ?? voices[0].made,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onNextTap(run) {
      page.taps.push(run);
      return () => {
        page.taps = page.taps.filter((tap) => tap !== run);
      };
    },
    hidden: () => page.hidden,
    silent: () => {
      page.silences += 1;
    },
  });
  const setHidden = (hidden: boolean) => {
    page.hidden = hidden;
    player.visibilityChanged();
  };
  const tap = async () => {
    for (const run of page.taps.splice(0)) run();
    await pass(0);
  };
  return { page, player, setHidden, tap, first: voices[0].log, second: voices[1].log };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const song = { url: '/song.mp3', viaggio: 1 } as const;

describe('the song', () => {
  it('comes up from silence to full volume in 1.2 s', async () => {
    const { player, first } = room();
    player.start(song);
    await pass(0);
    expect(first).toEqual({ url: '/song.mp3', plays: 1, paused: false, levels: [0] });
    await pass(600);
    expect(first.levels.at(-1)).toBeCloseTo(0.5, 10);
    await pass(600);
    expect([first.levels.length, first.levels.at(-1)]).toEqual([25, 1]);
    expect(first.levels).toEqual(first.levels.toSorted((a, b) => a - b));
    await pass(5_000);
    expect(first.levels.length).toBe(25);
  });

  it('begins as loud as the phone where nothing sets its volume', async () => {
    const { player, first } = room({ volume: false });
    player.start(song);
    await pass(2_000);
    expect(first).toEqual({ url: '/song.mp3', plays: 1, paused: false, levels: [] });
  });

  it('fades in 20 steps of 5 %, one every 100 ms, and stops', async () => {
    const { player, first, page } = room();
    player.start(song);
    await pass(5_000);
    first.levels = [];
    player.fade();
    await pass(0);
    for (let step = 1; step <= 20; step += 1) {
      await pass(99);
      expect(first.levels.length).toBe(step - 1);
      await pass(1);
      expect(first.levels[step - 1]).toBeCloseTo(1 - step * 0.05, 10);
    }
    await pass(0);
    expect([player.phase(), first.paused, page.silences]).toEqual(['silent', true, 1]);
    expect(first.levels.slice(19)).toEqual([0, 1]);
  });

  it('fades through the gain where volume does nothing', async () => {
    const { player, first } = room({ volume: false, gain: true });
    player.start(song);
    await pass(0);
    player.fade();
    await pass(2_000);
    await pass(0);
    expect(first.levels.length).toBe(20);
    expect([first.levels.at(-1), first.paused]).toEqual([0, true]);
  });

  it('just stops where nothing can fade it', async () => {
    const { player, first } = room({ volume: false });
    player.start(song);
    await pass(0);
    player.fade();
    await pass(0);
    expect([player.phase(), first.paused, first.levels]).toEqual(['silent', true, []]);
  });

  it('of the second trip waits for the first fade, and uses the other voice', async () => {
    const { player, first, second, page } = room();
    player.start(song);
    await pass(0);
    player.fade();
    await pass(500);
    player.start({ url: '/song.mp3', viaggio: 2 });
    expect(second.plays).toBe(0);
    await pass(1_600);
    expect([first.paused, second.plays, second.paused, page.silences]).toEqual([true, 1, false, 0]);
  });

  it('pauses with the page and comes back softly', async () => {
    const { player, first, setHidden } = room();
    player.start(song);
    await pass(1_000);
    setHidden(true);
    expect([player.phase(), first.paused]).toEqual(['waiting', true]);
    first.levels = [];
    setHidden(false);
    await pass(300);
    expect([player.phase(), first.plays, first.paused]).toEqual(['playing', 2, false]);
    expect(first.levels).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  it('started while hidden begins when the page is seen', async () => {
    const { player, first, setHidden, page } = room();
    page.hidden = true;
    player.start(song);
    expect(first.plays).toBe(0);
    setHidden(false);
    await pass(300);
    expect(first.plays).toBe(1);
  });

  it('that is refused begins at the next tap, without a word', async () => {
    const { player, first, page, tap } = room();
    page.refusal = 'NotAllowedError';
    player.start(song);
    await pass(0);
    expect(player.phase()).toBe('waiting');
    page.refusal = null;
    await tap();
    expect([player.phase(), first.plays, first.paused]).toEqual(['playing', 2, false]);
  });

  it('stopped while it waits for a tap stays silent', async () => {
    const { player, first, page, tap } = room();
    page.refusal = 'NotAllowedError';
    player.start(song);
    await pass(0);
    player.stop();
    page.refusal = null;
    await tap();
    expect([player.phase(), first.plays]).toEqual(['silent', 1]);
  });

  it('that is to fade while it waits for a tap is silent at once, and stays so', async () => {
    const { player, first, page, tap } = room();
    page.refusal = 'NotAllowedError';
    player.start(song);
    await pass(0);
    player.fade();
    expect([player.phase(), page.silences]).toEqual(['silent', 1]);
    page.refusal = null;
    await tap();
    expect([player.phase(), first.plays]).toEqual(['silent', 1]);
  });

  it('in its fade is silent at once when the page is hidden, and stays so', async () => {
    const { player, first, setHidden, page } = room();
    player.start(song);
    await pass(0);
    player.fade();
    await pass(500);
    setHidden(true);
    expect([player.phase(), first.paused, page.silences]).toEqual(['silent', true, 1]);
    setHidden(false);
    await pass(5_000);
    expect([player.phase(), first.plays]).toEqual(['silent', 1]);
  });

  it('stopped in its fade is silent at once and forgets what was to follow', async () => {
    const { player, first, second } = room();
    player.start(song);
    await pass(0);
    player.fade();
    await pass(300);
    player.start({ url: '/song.mp3', viaggio: 2 });
    player.stop();
    expect([player.phase(), first.paused]).toEqual(['silent', true]);
    await pass(5_000);
    expect([first.levels.at(-1), second.plays]).toEqual([1, 0]);
  });

  it('interrupted once plays on, interrupted again waits for a tap', async () => {
    const { player, first, tap } = room();
    player.start(song);
    await pass(0);
    player.interrupted();
    await pass(300);
    expect(first.plays).toBe(2);
    player.interrupted();
    await pass(20_000);
    expect([player.phase(), first.plays]).toEqual(['waiting', 2]);
    await tap();
    expect(first.plays).toBe(3);
  });

  it('interrupted again after five calm seconds plays on by itself', async () => {
    const { player, first } = room();
    player.start(song);
    await pass(0);
    player.interrupted();
    await pass(5_000);
    player.interrupted();
    await pass(300);
    expect([player.phase(), first.plays]).toEqual(['playing', 3]);
  });

  it('started anew where its fade had not begun yet is not faded', async () => {
    const { player, first } = room();
    player.start(song);
    await pass(0);
    player.fade();
    player.stop();
    player.start(song);
    await pass(5_000);
    expect([player.phase(), first.paused, first.levels.at(-1)]).toEqual(['playing', false, 1]);
  });

  it('stopped after an interruption does not answer it', async () => {
    const { player, first } = room();
    player.start(song);
    await pass(0);
    player.interrupted();
    player.stop();
    await pass(5_000);
    expect([player.phase(), first.plays]).toEqual(['silent', 1]);
  });

  it('interrupted while it comes up gets no louder until it plays on', async () => {
    const { player, first } = room();
    player.start(song);
    await pass(100);
    player.interrupted();
    const levels = [...first.levels];
    await pass(250);
    expect(first.levels).toEqual(levels);
  });

  it('hidden while it comes back gets no louder', async () => {
    const { player, first, setHidden } = room();
    player.start(song);
    await pass(0);
    setHidden(true);
    setHidden(false);
    await pass(100);
    setHidden(true);
    const levels = [...first.levels];
    await pass(1_000);
    expect(first.levels).toEqual(levels);
  });

  it('takes AbortError for nothing', async () => {
    const { player, page } = room();
    page.refusal = 'AbortError';
    player.start(song);
    await pass(0);
    expect([player.phase(), page.taps]).toEqual(['playing', []]);
  });
});
