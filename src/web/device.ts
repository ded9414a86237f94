import { parse } from 'bowser';
import { deviceTexts } from '../texts/devices.ts';

export type Device = { kind: 'phone' | 'tablet' | 'desktop'; words: string };

/** What somebody visits with, in words: `iPhone · Safari`. What can't be told is a computer of unknown make. */
export function deviceOf(user_agent: string | null): Device {
  // The library throws where there is nothing to read.
  if (!user_agent) return { kind: 'desktop', words: deviceTexts.unknown };
  const { platform, os, browser } = parse(user_agent);
  const kind = platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'desktop';
  const system = os.name === undefined ? undefined : (deviceTexts.systems[os.name] ?? os.name);
  const machine = (platform.vendor === 'Apple' ? platform.model : undefined) ?? system;
  const words = [machine, browser.name].filter(Boolean).join(' · ');
  return { kind, words: words === '' ? deviceTexts.unknown : words };
}
