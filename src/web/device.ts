import { parse } from 'bowser';
import { deviceTexts } from '../texts/devices.ts';

export type Device = { kind: 'phone' | 'tablet' | 'desktop'; words: string };

/** Describes the visitor's device, for example `iPhone · Safari`. An unrecognized one counts as a computer of unknown make. */
export function deviceOf(user_agent: string | null): Device {
  // The library throws on an empty user agent.
  if (!user_agent) return { kind: 'desktop', words: deviceTexts.unknown };
  const { platform, os, browser } = parse(user_agent);
  const kind = platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'desktop';
  const system = os.name === undefined ? undefined : (deviceTexts.systems[os.name] ?? os.name);
  const machine = (platform.vendor === 'Apple' ? platform.model : undefined) ?? system;
  const words = [machine, browser.name].filter(Boolean).join(' · ');
  return { kind, words: words === '' ? deviceTexts.unknown : words };
}
