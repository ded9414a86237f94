import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { luminanceOf } from '../../src/domain/hues.ts';

const WEB = join(import.meta.dirname, '../../src/web');

/** Returns the tokens of a dress file by name. @param file path below `src/web` */
export function tokensOf(file: string): Map<string, string> {
  const css = readFileSync(join(WEB, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  return new Map(
    [...css.matchAll(/--([a-z-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Returns the WCAG contrast of two colours (`#rrggbb`), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
