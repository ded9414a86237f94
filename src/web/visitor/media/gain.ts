import type { SetLevel } from '../../../experience/song/fade.ts';
import { sleep } from '../../ui/waiting.ts';

/** Volume through Web Audio, for phones where `volume` has no effect. */
export type Gain = {
  /** Resolves with null if the context isn't running within 300 ms. */
  level(): Promise<SetLevel | null>;
};

const RUNNING_WITHIN_MS = 300;
const gains = new WeakMap<HTMLMediaElement, Gain>();

/**
 * Routes the element through a gain node, permanently. Only inside a tap and only for a fade: the phone's ring switch mutes Web Audio.
 * Returns null without Web Audio.
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
      // Phones have more states than `suspended`.
      return context.state === 'running' ? level : null;
    },
  };
}

/** Restores full volume of an element that was faded here before. */
export async function gainToFull(element: HTMLMediaElement): Promise<void> {
  (await gains.get(element)?.level())?.(1);
}
