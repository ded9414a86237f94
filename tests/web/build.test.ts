import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BARS, DRESSES } from '../../src/domain/configuration.ts';
import { inlineAssets } from '../../src/web/build/in-one-file.ts';
import { contrast, tokensOf } from '../support/dress-tokens.ts';

/** Build output: readable colours (WCAG AA), composited motion and the single-file page. */

const WEB = join(import.meta.dirname, '../../src/web');
const sheet = (name: string) => readFileSync(join(WEB, name), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
const colours = (value = ''): string[] => value.match(/#[0-9a-f]{6}\b/g) ?? [];

/** Foreground, its backgrounds and the minimum contrast: 4.5 for text, 3 for large text and focus rings. */
const CONTRASTS: [ink: string, grounds: string[], least: number][] = [
  ...['day', 'night'].flatMap((form): [string, string[], number][] => [
    [`${form}-ink`, ['background', 'card', 'card-deep', 'card-edge'].map((name) => `${form}-${name}`), 4.5],
    [`${form}-ink-soft`, ['background', 'card', 'card-deep'].map((name) => `${form}-${name}`), 4.5],
    [`${form}-danger`, [`${form}-card`], 4.5],
    [`${form}-focus`, [`${form}-background`, `${form}-card`], 3],
  ]),
  ['on-gold', ['gold-face'], 4.5],
  ['ivory', ['night-deep', 'night', 'rose', 'chosen', 'sky-night', 'sky-deep', 'sky-journey-high'], 4.5],
  ['ivory', ['sky-dusk', 'sky-dawn', 'sky-journey-low'], 3],
  ['blush', ['night-deep', 'night', 'sky-deep'], 4.5],
  ['gold', ['night-deep', 'night', 'sky-deep', 'sky-journey-high'], 4.5],
  ['wine', ['pass-light', 'pass-shade', 'pass-stub', 'sheet'], 4.5],
  ...['pass-ink', 'pass-ink-soft'].map((ink): [string, string[], number] => [
    ink,
    ['pass-light', 'pass-shade', 'pass-stub'],
    4.5,
  ]),
  ['on-foil', ['foil'], 3],
];

test.each([...DRESSES.map((dress) => `dresses/${dress}.css`), 'dev/bosco.css'])(
  'defines every token of %s with sufficient contrast',
  (file) => {
    const tokens = tokensOf(file);
    expect([...tokens.keys()]).toEqual([...tokensOf(`dresses/${DRESSES[0]}.css`).keys()]);
    for (const [ink, grounds, minContrast] of CONTRASTS)
      for (const ground of grounds) {
        const [[colour = ''], under] = [colours(tokens.get(ink)), colours(tokens.get(ground))];
        const worst = Math.min(...under.map((stop) => contrast(colour, stop)));
        expect([under.length > 0, worst >= minContrast], `${ink} on ${ground}: ${worst}`).toEqual([
          true,
          true,
        ]);
      }
  },
);

test('uses a dress’s backgrounds for the browser bars, and no literal colours in scenes', () => {
  for (const dress of DRESSES) {
    const tokens = tokensOf(`dresses/${dress}.css`);
    const [day, night] = ['day', 'night'].map((form) => tokens.get(`${form}-background`));
    expect(BARS[dress]).toEqual({ day, night });
  }
  for (const scene of ['night', 'questions', 'action', 'closing', 'falling-hearts', 'phrase', 'journey'])
    expect(colours(sheet(`scenes/${scene}.module.css`)), scene).toEqual([]);
});

describe('motion', () => {
  const COMPOSITED = ['opacity', 'transform', 'scale', 'rotate', 'translate', 'none'];
  /** Allowed exception: the underline of the code field changes colour on focus, before the evening. */
  const BEFORE = ['visitor/access/code-field.module.css: border-color'];

  /** Returns every property that the style sheet animates or transitions. */
  function changedProperties(css: string): string[] {
    const keyframes = [...css.matchAll(/@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)].flatMap(
      ([, steps = '']) => [...steps.matchAll(/([\w-]+):/g)].map(([, name = '']) => name),
    );
    const transitions = [...css.matchAll(/\btransition(?:-property)?:\s*([^;]+);/g)].flatMap(
      ([, list = '']) => list.split(/,(?![^(]*\))/).map((part) => part.trim().split(/\s/)[0] ?? ''),
    );
    return [...keyframes, ...transitions];
  }

  test('animates only composited properties in the evening', () => {
    const sheets = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    );
    const animated = sheets
      .filter((name) => /^(scenes|visitor)\/.*\.css$/.test(name))
      .flatMap((name) => changedProperties(sheet(name)).map((property) => ({ name, property })));
    expect(animated.length).toBeGreaterThan(50);
    const others = animated.filter(({ property }) => !COMPOSITED.includes(property));
    expect(others.map(({ name, property }) => `${name}: ${property}`)).toEqual(BEFORE);
  });
});

test('inlines script and styles of the single-file page, and removes their files', () => {
  const asset = (fileName: string, source: string) => ({ type: 'asset', fileName, source });
  const files = [
    asset(
      'index.html',
      '<html><head>\n<script type="module" crossorigin src="/a.js"></script>\n<link rel="stylesheet" href="/a.css">\n<link rel="stylesheet" href="/b.css"></head><body><!--sealed--></body></html>',
    ),
    { type: 'chunk', fileName: 'a.js', code: 'go("</script><!-- $& -->")' },
    asset('a.css', 'p{}'),
    asset('b.css', 'q{}'),
    asset('.vite/manifest.json', '{}'),
  ];
  const bundle: Record<string, object> = Object.fromEntries(files.map((file) => [file.fileName, file]));
  const { generateBundle } = inlineAssets() as unknown as {
    generateBundle: { handler: (options: object, bundle: object) => void };
  };
  generateBundle.handler.call({ error: expect.unreachable }, {}, bundle);
  expect(Object.keys(bundle).toSorted()).toEqual(['.vite/manifest.json', 'index.html']);
  expect(bundle['index.html']).toMatchObject({
    source:
      '<html><head><style>p{}\nq{}</style>\n</head><body><script>go("<\\/script><\\!-- $& -->")</script>\n<!--sealed--></body></html>',
  });
});
