import { type Loudness, loudnessOf, METER, METER_KEYS, UNHEARD } from '../plan/loudness.ts';
import type { Progress } from '../progress.ts';
import { inputArgs } from './make.ts';
import { runProgram } from './run.ts';

/**
 * How loud a file is that was made or stored: its sound alone is decoded.
 * @param index of the track, or null for the first
 */
export async function measureSound(
  ffmpeg: string,
  path: string,
  index: number | null,
  progress: Progress,
): Promise<Loudness> {
  const told = Object.values(METER_KEYS).map((key) => `ametadata=mode=print:key=${key}:file=-`);
  const map = index === null ? '0:a:0?' : `0:${index}`;
  const args = [...inputArgs(path, 0), '-map', map, '-filter:a', [METER, ...told].join(',')];
  const last = { integrated: Number.NaN, peak: Number.NaN };
  const { ok } = await runProgram(ffmpeg, [...args, '-f', 'null', '-'], (line) => {
    const [name, value] = line.split('=');
    if (name === METER_KEYS.integrated) last.integrated = Number(value);
    if (name === METER_KEYS.peak) last.peak = Number(value);
    progress.did(1);
  });
  return ok ? loudnessOf(last.integrated, last.peak) : UNHEARD;
}
