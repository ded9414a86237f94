/**
 * Soft sounds in addition to the song: filtered noise and low tones, no files. Each has a separate AudioContext, closed afterwards, so
 * that none is open during the film. Silent if the phone requires a tap. Optional, therefore a separate chunk.
 */

export type Sound = 'letter' | 'tear' | 'destination';

/** One part of a sound: noise through a gliding band filter, or a tone. Times in seconds from its beginning, frequencies in Hz. */
type Part = { at: number; rise: number; fall: number; level: number; from: number; to: number; tone?: true };

/** All are quieter than the song, whose level is 1. */
const SOUNDS: Record<Sound, readonly Part[]> = {
  letter: [
    // The wax cracks, and the flap lifts.
    { at: 0, rise: 0.002, fall: 0.09, level: 0.16, from: 3_200, to: 2_200 },
    { at: 0.05, rise: 0.002, fall: 0.06, level: 0.1, from: 4_200, to: 3_000 },
    { at: 0.5, rise: 0.25, fall: 0.45, level: 0.05, from: 500, to: 1_500 },
  ],
  tear: [
    { at: 0, rise: 0.02, fall: 0.12, level: 0.12, from: 2_400, to: 2_900 },
    { at: 0.12, rise: 0.02, fall: 0.1, level: 0.1, from: 2_800, to: 3_300 },
    { at: 0.22, rise: 0.03, fall: 0.2, level: 0.12, from: 3_000, to: 2_200 },
  ],
  destination: [
    { at: 0, rise: 1.2, fall: 2, level: 0.1, from: 55, to: 55, tone: true },
    { at: 0.1, rise: 1.3, fall: 1.9, level: 0.07, from: 82.5, to: 82.5, tone: true },
    { at: 0, rise: 1.1, fall: 1.8, level: 0.025, from: 220, to: 700 },
  ],
};

/** Longest wait in ms for a running context; a later one requires a tap. */
const RUNNING_WITHIN_MS = 200;

/** Plays a sound, unless reduced motion is requested. */
export async function playSound(sound: Sound): Promise<void> {
  if (typeof AudioContext !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const context = new AudioContext();
  try {
    await Promise.race([context.resume(), new Promise((late) => setTimeout(late, RUNNING_WITHIN_MS))]);
    if (context.state !== 'running') return;
    const ends = SOUNDS[sound].map((part) => schedule(context, part));
    await new Promise((over) => setTimeout(over, Math.max(...ends) * 1_000));
  } catch {
    // Silent on phones that can't play it.
  } finally {
    void context.close();
  }
}

/** @returns its end, in seconds from now */
function schedule(context: AudioContext, { at, rise, fall, level, from, to, tone }: Part): number {
  const [begins, ends] = [context.currentTime + at, context.currentTime + at + rise + fall];
  const source = tone ? context.createOscillator() : noise(context);
  const band = context.createBiquadFilter();
  const gain = context.createGain();
  band.type = tone ? 'lowpass' : 'bandpass';
  band.frequency.setValueAtTime(tone ? from * 4 : from, begins);
  band.frequency.linearRampToValueAtTime(tone ? to * 4 : to, ends);
  if ('frequency' in source) source.frequency.value = from;
  gain.gain.setValueAtTime(0, begins);
  gain.gain.linearRampToValueAtTime(level, begins + rise);
  gain.gain.linearRampToValueAtTime(0, ends);
  source.connect(band).connect(gain).connect(context.destination);
  source.start(begins);
  source.stop(ends);
  return at + rise + fall;
}

function noise(context: AudioContext): AudioBufferSourceNode {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  buffer.getChannelData(0).forEach((_, index, samples) => {
    samples[index] = Math.random() * 2 - 1;
  });
  return Object.assign(context.createBufferSource(), { buffer, loop: true });
}
