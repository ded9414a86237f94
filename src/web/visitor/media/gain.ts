import type { SetLevel } from '../../../experience/song/fade.ts';
import { sleep } from '../../ui/waiting.ts';

/** Loudness through Web Audio, for phones without a volume. */
export type Gain = {
  /** Null when the context isn't running within 300 ms. */
  level(): Promise<SetLevel | null>;
};

const RUNNING_WITHIN_MS = 300;
const gains = new WeakMap<HTMLMediaElement, Gain>();

/**
 * Routes the element through a gain node, for good: it can't be taken out again. Only inside a tap, and only for a fade: pages that play
 * through Web Audio alone are silenced by the phone's ring switch. Null where there is no Web Audio.
 */
export function routeThroughGain(element: HTMLMediaElement): Gain | null {
  const known = gains.get(element);
  if (known !== undefined) return known;
  if (typeof AudioContext !== 'function') return null;
  try {
    const context = new AudioContext();
    const node = context.createGain();
    context.createMediaElementSource(element).connect(node).connect(context.destination);
    const gain = gainOf(context, node);
    gains.set(element, gain);
    return gain;
  } catch {
    return null;
  }
}

function gainOf(context: AudioContext, node: GainNode): Gain {
  const resumed = context.resume().catch(() => undefined);
  const late = sleep(RUNNING_WITHIN_MS);
  const level: SetLevel = (value) => {
    node.gain.value = value;
  };
  return {
    async level() {
      await Promise.race([resumed, late]);
      // Phones know more states than `suspended`.
      return context.state === 'running' ? level : null;
    },
  };
}

/** A voice that was faded here before starts again at full loudness. */
export async function gainToFull(element: HTMLMediaElement): Promise<void> {
  (await gains.get(element)?.level())?.(1);
}
