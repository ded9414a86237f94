import { beforeEach, expect, test, vi } from 'vitest';
import { playSound } from '../../src/web/visitor/media/sounds.ts';

let contexts: Context[] = [];

/** An audio context that records started nodes and gain levels. */
class Context {
  state = 'running';
  currentTime = 0;
  sampleRate = 100;
  destination = {};
  levels: number[] = [];
  started = 0;
  closed = false;
  constructor() {
    contexts.push(this);
  }
  resume = async () => undefined;
  close = async () => void (this.closed = true);
  createBuffer = (_channels: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
  createGain = () => this.#node();
  createBiquadFilter = () => this.#node();
  createOscillator = () => this.#node();
  createBufferSource = () => this.#node();
  #node() {
    const param = { value: 0, setValueAtTime: () => {}, linearRampToValueAtTime: () => {} };
    const gain = { ...param, linearRampToValueAtTime: (level: number) => void this.levels.push(level) };
    const start = () => void (this.started += 1);
    return { gain, frequency: param, start, stop: () => {}, connect: (next: unknown) => next };
  }
}

beforeEach(() => {
  contexts = [];
  vi.useFakeTimers();
  vi.stubGlobal('AudioContext', Context);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});

const playToEnd = async (sound: Parameters<typeof playSound>[0]) => {
  const over = playSound(sound);
  await vi.advanceTimersByTimeAsync(10_000);
  await over;
  return contexts[0];
};

test.each(['letter', 'tear', 'destination'] as const)(
  'plays %s quietly, and closes its context',
  async (sound) => {
    const context = await playToEnd(sound);
    expect([context?.started, context?.closed]).toEqual([3, true]);
    expect(Math.max(...(context?.levels ?? [1]))).toBeLessThanOrEqual(0.16);
  },
);

test('stays silent with reduced motion', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  await playToEnd('tear');
  expect(contexts).toEqual([]);
});
