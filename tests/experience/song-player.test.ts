import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SetLevel } from '../../src/experience/song/fade.ts';
import { type AudioPort, createSongPlayer } from '../../src/experience/song/song.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two audio elements and the page around them. */
function room({ volume = true, gain = false } = {}) {
  const page = { hidden: false, refusal: null as string | null, taps: [] as (() => void)[], silences: 0 };
  const voices = [voice(), voice()] as const;

  function voice() {
    const log = { url: '', plays: 0, paused: true, levels: [] as number[] };
    const level: SetLevel = (value) => log.levels.push(value);
    const made: AudioPort = {
      load: (url) => void (log.url = url),
      play: async () => {
        log.plays += 1;
        if (page.refusal !== null) throw Object.assign(new Error('no'), { name: page.refusal });
        log.paused = false;
      },
      pause: () => void (log.paused = true),
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
      return () => void (page.taps = page.taps.filter((tap) => tap !== run));
    },
    hidden: () => page.hidden,
    silent: () => void (page.silences += 1),
  });
  return { page, player, first: voices[0].log, second: voices[1].log };
}
type Room = ReturnType<typeof room>;

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const show =
  (hidden: boolean) =>
  ({ page, player }: Room) => {
    page.hidden = hidden;
    player.visibilityChanged();
  };
const WORDS: Record<string, (room: Room) => void> = {
  start: ({ player }) => player.start({ url: '/song.mp3', viaggio: 1 }),
  second: ({ player }) => player.start({ url: '/song.mp3', viaggio: 2 }),
  fade: ({ player }) => player.fade(),
  stop: ({ player }) => player.stop(),
  interrupt: ({ player }) => player.interrupted(),
  hide: show(true),
  show: show(false),
  allow: ({ page }) => void (page.refusal = null),
  tap: ({ page }) => page.taps.splice(0).forEach((run) => run()),
  forget: ({ first }) => void (first.levels = []),
};

/** Runs a script of steps: a time in ms, `refuse:NAME`, one of `WORDS`, or an expected value (`plays=2`). */
async function runScript(story: string, at: Room): Promise<void> {
  const { page, player, first, second } = at;
  const facts = (): Record<string, unknown> => ({
    phase: player.phase(),
    plays: first.plays,
    paused: first.paused,
    url: first.url,
    levels: first.levels.length,
    loud: first.levels.at(-1)?.toFixed(2),
    second: second.plays,
    silences: page.silences,
    taps: page.taps.length,
  });
  for (const word of story.split(' ')) {
    const [key = '', value] = word.split(/[=:]/);
    if (word.includes('=')) expect(String(facts()[key]), `${word} in «${story}»`).toBe(value);
    else if (word.includes(':')) page.refusal = value ?? null;
    else if (/^\d/.test(word)) await pass(Number(word));
    else WORDS[word]?.(at);
  }
}

test.each<[rule: string, story: string, options?: Parameters<typeof room>[0]]>([
  [
    'comes up from silence to full volume in 1.2 s',
    'start 0 url=/song.mp3 plays=1 paused=false levels=1 loud=0.00 600 loud=0.50 600 levels=25 loud=1.00 5000 levels=25',
  ],
  [
    'begins as loud as the phone where nothing sets its volume',
    'start 2000 plays=1 paused=false levels=0',
    { volume: false },
  ],
  [
    'fades in 20 steps of 5 %, one every 100 ms, and stops',
    'start 5000 forget fade 99 levels=0 1 levels=1 loud=0.95 99 levels=1 1 levels=2 loud=0.90 1700 levels=19 loud=0.05 99 levels=19 1 0 phase=silent paused=true silences=1 levels=21 loud=1.00',
  ],
  [
    'fades through the gain where volume does nothing',
    'start 0 fade 2000 0 levels=20 loud=0.00 paused=true',
    { volume: false, gain: true },
  ],
  [
    'just stops where nothing can fade it',
    'start 0 fade 0 phase=silent paused=true levels=0',
    { volume: false },
  ],
  [
    'waits for the fade before the second trip’s voice',
    'start 0 fade 500 second second=0 1600 paused=true second=1 silences=0',
  ],
  [
    'pauses with the page and comes back softly',
    'start 1000 hide phase=waiting paused=true forget show 300 phase=playing plays=2 paused=false levels=5 loud=1.00',
  ],
  ['begins when the page is seen, if it was hidden', 'hide start plays=0 show 300 plays=1'],
  [
    'begins at the next tap if it is refused',
    'refuse:NotAllowedError start 0 phase=waiting taps=1 allow tap 0 phase=playing plays=2 paused=false',
  ],
  [
    'stays silent if it is stopped while it waits for a tap',
    'refuse:NotAllowedError start 0 stop allow tap 0 phase=silent plays=1',
  ],
  [
    'is silent at once if it is to fade while it waits',
    'refuse:NotAllowedError start 0 fade phase=silent silences=1 allow tap 0 phase=silent plays=1',
  ],
  [
    'is silent at once if the page is hidden in its fade',
    'start 0 fade 500 hide phase=silent paused=true silences=1 show 5000 phase=silent plays=1',
  ],
  [
    'forgets what was to follow if it is stopped in its fade',
    'start 0 fade 300 second stop phase=silent paused=true 5000 loud=1.00 second=0',
  ],
  [
    'plays on once after an interruption, and then waits for a tap',
    'start 0 interrupt 300 plays=2 interrupt 20000 phase=waiting plays=2 tap 0 plays=3',
  ],
  ['plays on again after five calm seconds', 'start 0 interrupt 5000 interrupt 300 phase=playing plays=3'],
  [
    'is not faded if it is started anew before its fade began',
    'start 0 fade stop start 5000 phase=playing paused=false loud=1.00',
  ],
  ['does not answer an interruption once it is stopped', 'start 0 interrupt stop 5000 phase=silent plays=1'],
  ['gets no louder while it is interrupted', 'start 100 levels=3 interrupt 250 levels=3'],
  ['takes AbortError for nothing', 'refuse:AbortError start 0 phase=playing taps=0'],
])('%s', async (_rule, story, options) => runScript(story, room(options)));
