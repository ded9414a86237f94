/** A small orchestra made of sines: felt piano, warm pad, bass, music-box chime, sea; and a room to put them in. */
import { chance } from './canvas/tools.mjs';

export const rate = 44100;
const semitone = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 };

/** 'f#4' -> 369.99 (Hz), moved by `shift` semitones. */
export function pitch(name, shift = 0) {
  const [, letter, sign, octave] = /^([a-g])([#b]?)(\d)$/.exec(name);
  const key = semitone[letter] + (sign === '#' ? 1 : sign === 'b' ? -1 : 0) + 12 * (Number(octave) + 1);
  return 440 * 2 ** ((key + shift - 69) / 12);
}

export class Stage {
  constructor(seconds) {
    this.length = Math.ceil(seconds * rate);
    this.left = new Float32Array(this.length);
    this.right = new Float32Array(this.length);
  }

  /** Adds a mono voice: `voice(t)` for `seconds`, panned from -1 to 1. */
  add(at, seconds, pan, voice) {
    const start = Math.round(at * rate);
    const end = Math.min(this.length, start + Math.round(seconds * rate));
    const l = Math.cos((pan + 1) * Math.PI / 4);
    const r = Math.sin((pan + 1) * Math.PI / 4);
    for (let i = Math.max(0, start); i < end; i++) {
      const v = voice((i - start) / rate);
      this.left[i] += v * l;
      this.right[i] += v * r;
    }
  }
}

/** Felt piano: two strings a hair apart, partials that die sooner the higher they are, a soft hammer. */
export function piano(stage, at, hz, { loud = 0.5, ring = 3.2, pan = 0 } = {}) {
  const partials = [];
  for (let n = 1; n <= 9 && hz * n < 9000; n++) {
    const strength = (loud * (0.35 + 0.65 * loud) ** (n * 0.32)) / n ** 1.75;
    partials.push({ w: 2 * Math.PI * hz * n * Math.sqrt(1 + 0.00028 * n * n), strength, decay: 0.75 + n * 0.62 + hz / 700 });
  }
  stage.add(at, ring, pan, (t) => {
    const attack = 1 - Math.exp(-t / 0.006);
    const release = t > ring - 0.35 ? Math.max(0, (ring - t) / 0.35) : 1;
    let v = 0;
    for (const { w, strength, decay } of partials) {
      v += strength * Math.exp(-t * decay) * (Math.sin(w * t) + 0.6 * Math.sin(w * 1.0007 * t + 0.4));
    }
    const hammer = Math.exp(-t * 70) * Math.sin(2 * Math.PI * 92 * t) * 0.12 * loud;
    return (v * 0.42 + hammer) * attack * release;
  });
}

/** Strings far away: slow attack, three voices that drift against each other. */
export function pad(stage, at, hz, seconds, { loud = 0.1, pan = 0 } = {}) {
  stage.add(at, seconds + 1.2, pan, (t) => {
    const shape = Math.min(1, t / 0.9) * Math.min(1, Math.max(0, (seconds + 1.2 - t) / 1.2));
    let v = 0;
    for (const [drift, phase] of [[0.9975, 0], [1, 1.3], [1.0027, 2.1]]) {
      const w = 2 * Math.PI * hz * drift * t + phase + 0.05 * Math.sin(4.6 * t + phase);
      v += Math.sin(w) + 0.34 * Math.sin(2 * w) + 0.16 * Math.sin(3 * w) + 0.06 * Math.sin(4 * w);
    }
    return v * 0.3 * loud * shape * shape;
  });
}

export function bass(stage, at, hz, seconds, { loud = 0.3 } = {}) {
  stage.add(at, seconds, 0, (t) => {
    const shape = (1 - Math.exp(-t / 0.02)) * Math.exp(-t * 0.55) * Math.min(1, (seconds - t) / 0.25);
    const w = 2 * Math.PI * hz * t;
    return loud * shape * (Math.sin(w) + 0.28 * Math.sin(2 * w) * Math.exp(-t) + 0.1 * Math.sin(3 * w) * Math.exp(-2 * t));
  });
}

export function chime(stage, at, hz, { loud = 0.2, pan = 0 } = {}) {
  stage.add(at, 3, pan, (t) => {
    const attack = 1 - Math.exp(-t / 0.002);
    const body = Math.exp(-t * 2.1) * Math.sin(2 * Math.PI * hz * t);
    const bell = 0.35 * Math.exp(-t * 4.5) * Math.sin(2 * Math.PI * hz * 2.756 * t);
    const edge = 0.12 * Math.exp(-t * 9) * Math.sin(2 * Math.PI * hz * 5.404 * t);
    return loud * attack * (body + bell + edge);
  });
}

/** Waves: noise through a low-pass whose breath follows the tide. */
export function sea(stage, seconds, { loud = 0.05, seed = 7, shape = () => 1 } = {}) {
  for (const pan of [-0.8, 0.8]) {
    const random = chance(seed + pan * 10);
    let low = 0;
    let lower = 0;
    stage.add(0, seconds, pan, (t) => {
      const tide = 0.5 + 0.5 * Math.sin(2 * Math.PI * t / 5.2 + pan);
      const open = 0.02 + 0.06 * tide;
      low += open * (random() * 2 - 1 - low);
      lower += open * (low - lower);
      return lower * loud * 5 * (0.35 + 0.65 * tide) * shape(t);
    });
  }
}

/** Eight combs and four all-passes each side: a small hall. */
export function hall(stage, wet = 0.25, tail = 0.84, damp = 0.32) {
  const combs = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617];
  const passes = [556, 441, 341, 225];
  const dry = [stage.left, stage.right];
  const send = new Float32Array(stage.length);
  for (let i = 0; i < stage.length; i++) send[i] = (dry[0][i] + dry[1][i]) * 0.03;
  dry.forEach((channel, side) => {
    let out = new Float32Array(stage.length);
    for (const delay of combs) comb(send, out, delay + side * 23, tail, damp);
    for (const delay of passes) out = allPass(out, delay + side * 23);
    for (let i = 0; i < stage.length; i++) channel[i] += out[i] * wet * 3;
  });
}

function comb(input, output, delay, tail, damp) {
  const line = new Float32Array(delay);
  let soft = 0;
  for (let i = 0, at = 0; i < input.length; i++, at = (at + 1) % delay) {
    const v = line[at];
    soft = v * (1 - damp) + soft * damp;
    line[at] = input[i] + soft * tail;
    output[i] += v;
  }
}

function allPass(input, delay) {
  const line = new Float32Array(delay);
  const output = new Float32Array(input.length);
  for (let i = 0, at = 0; i < input.length; i++, at = (at + 1) % delay) {
    output[i] = line[at] - input[i];
    line[at] = input[i] + line[at] * 0.5;
  }
  return output;
}

/** Folds what rings past `seconds` back to the start, so that the end meets the beginning. */
export function loopAt(stage, seconds) {
  const length = Math.round(seconds * rate);
  for (const side of ['left', 'right']) {
    const folded = stage[side].slice(0, length);
    for (let i = length; i < stage.length; i++) folded[i - length] += stage[side][i];
    stage[side] = folded;
  }
  stage.length = length;
}

/** Scales to the peak wanted, bends the last decibels softly, and interleaves as 32-bit floats. */
export function master(stage, peak = 0.85) {
  let top = 0;
  for (const channel of [stage.left, stage.right]) for (const v of channel) top = Math.max(top, Math.abs(v));
  const samples = new Float32Array(stage.length * 2);
  const drive = 1.25;
  for (let i = 0; i < stage.length; i++) {
    samples[2 * i] = (peak * Math.tanh((stage.left[i] / top) * drive)) / Math.tanh(drive);
    samples[2 * i + 1] = (peak * Math.tanh((stage.right[i] / top) * drive)) / Math.tanh(drive);
  }
  return Buffer.from(samples.buffer);
}
