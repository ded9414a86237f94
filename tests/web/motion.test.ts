import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * What moves in the evening is moved by the compositor: nothing is laid out or painted anew for a frame of it, however slow the phone's
 * processor. A blur that becomes less, a shadow, a size or a colour would be.
 */

const COMPOSITED = ['opacity', 'transform', 'scale', 'rotate', 'translate', 'none'];
/** The line under the code's field, which takes another colour when it is touched: not yet the evening. */
const BEFORE = ['visitor/access/code-field.module.css: border-color'];

const root = resolve(import.meta.dirname, '../../src/web');

/** Every property that an animation or a transition of this style sheet changes. */
function moved(css: string): string[] {
  const keyframes = [...css.matchAll(/@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)].flatMap(
    ([, steps = '']) => [...steps.matchAll(/([\w-]+):/g)].map(([, name = '']) => name),
  );
  const transitions = [...css.matchAll(/\btransition(?:-property)?:\s*([^;]+);/g)].flatMap(([, list = '']) =>
    list.split(/,(?![^(]*\))/).map((part) => part.trim().split(/\s/)[0] ?? ''),
  );
  return [...keyframes, ...transitions];
}

test('a blur that becomes less, and a colour that changes, are found', () => {
  const css = '@keyframes a {\n from {\n filter: blur(1px);\n }\n}\n.b { transition: color 1s, opacity 2s; }';
  expect(moved(css)).toEqual(['filter', 'color', 'opacity']);
});

test('the evening moves by what costs no painting', () => {
  const sheets = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^(scenes|visitor)\/.*\.css$/.test(name));
  const found = sheets.flatMap((name) => {
    const css = readFileSync(resolve(root, name), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    return moved(css).map((property) => ({ name, property }));
  });
  expect(found.length).toBeGreaterThan(50);
  const others = found.filter(({ property }) => !COMPOSITED.includes(property));
  expect(others.map(({ name, property }) => `${name}: ${property}`)).toEqual(BEFORE);
});
