import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { qrPath } from '../../src/web/admin/components/qr-path.ts';
import {
  drawCard,
  type Line,
  type Mark,
  SHEET,
  type Shape,
} from '../../src/web/admin/pages/tokens/card/drawing.ts';
import { paintCard } from '../../src/web/admin/pages/tokens/card/picture.ts';

/** The card as it lies on the sheet, and as it is painted: what a printer and a screen get. */

const site = new URL('https://sorpresa.example/');
const card = (name: string | null = 'Giulia') =>
  drawCard({ name, token: 'ROM-7KX2M9QD', site, qr: qrPath(site.href) }, (text) => [...text].length / 2);
const shapes = (marks: Mark[]) => marks.flatMap((mark) => (mark.kind === 'shape' ? [mark] : []));
const lines = (marks: Mark[]) => marks.flatMap((mark) => (mark.kind === 'line' ? [mark] : []));

/** The box of a rectangle with round corners, by walking round it. */
function boxOf({ d }: Shape) {
  let [x, y] = [0, 0];
  const seen: [number, number][] = [];
  for (const [, command, given = ''] of d.matchAll(/([MhvazHV])([^MhvazHV]*)/g)) {
    const numbers = (given.match(/-?\d*\.?\d+(e-?\d+)?/g) ?? []).map(Number);
    if (command === 'M') [x = 0, y = 0] = numbers;
    if (command === 'h') x += numbers[0] ?? 0;
    if (command === 'v') y += numbers[0] ?? 0;
    if (command === 'a') [x, y] = [x + (numbers[5] ?? 0), y + (numbers[6] ?? 0)];
    if (command !== 'z') seen.push([x, y]);
  }
  const [first, last] = [seen[0], seen.at(-1)];
  const [xs, ys] = [seen.map(([each]) => each), seen.map(([, each]) => each)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const isClosed =
    Math.hypot((first?.[0] ?? 0) - (last?.[0] ?? 0), (first?.[1] ?? 0) - (last?.[1] ?? 0)) < 1e-9;
  return { left, right, top, bottom, isClosed };
}
const isRounded = ({ d }: Shape) =>
  /^M\S+ \S+h\S+a/.test(d) && d.endsWith('z') && (d.match(/a/g)?.length ?? 0) === 4;

describe('on the sheet', () => {
  test('two fine lines run round it, as far from each edge, one within the other', () => {
    const [outer, inner] = shapes(card()).filter(isRounded).map(boxOf);
    for (const line of [outer, inner]) {
      expect(line?.isClosed).toBe(true);
      expect((line?.left ?? 0) + (line?.right ?? 0)).toBeCloseTo(SHEET.width);
      expect((line?.top ?? 0) + (line?.bottom ?? 0)).toBeCloseTo(SHEET.height);
      expect(line?.left).toBeCloseTo(line?.top ?? 0);
    }
    expect((inner?.left ?? 0) - (outer?.left ?? 0)).toBeCloseTo(1.3);
  });

  test('every line of text is in the middle, and within the lines', () => {
    const inner = shapes(card()).filter(isRounded).map(boxOf)[1];
    for (const { x, y } of lines(card())) {
      expect(x).toBe(SHEET.width / 2);
      expect(y).toBeLessThan((inner?.bottom ?? 0) - 3);
    }
    expect(lines(card()).at(-1)?.y).toBe(137.5);
  });

  test.each([['Giulia'], [null]])(
    'the code is in the middle of a paper of its own, with a quiet rim: for %s',
    (name) => {
      const all = shapes(card(name));
      const paper = boxOf(all.filter(isRounded)[2] ?? all[0]!);
      const code = all.findLast(({ fill, opacity }) => fill === 'day-ink' && opacity === undefined);
      const side = (code?.at.scale ?? 0) * qrPath(site.href).side;
      // As large as there is room for, and no larger than 36 mm.
      expect(side).toBeLessThanOrEqual(36);
      expect(side).toBeGreaterThan(24);
      expect(paper.isClosed).toBe(true);
      expect(paper.left + paper.right).toBeCloseTo(SHEET.width);
      for (const rim of [
        (code?.at.x ?? 0) - paper.left,
        (code?.at.y ?? 0) - paper.top,
        paper.right - (code?.at.x ?? 0) - side,
        paper.bottom - (code?.at.y ?? 0) - side,
      ])
        expect(rim).toBeCloseTo(3.6);
      const text = lines(card(name));
      const above = Math.max(...text.filter(({ y }) => y < paper.top).map(({ y }) => y));
      const first = text.find(({ y }) => y > paper.bottom);
      // Not nearer to what stands over it than to what stands under it.
      const gaps = [paper.top - above, (first?.y ?? 0) - paper.bottom];
      expect(Math.abs((gaps[0] ?? 0) - (gaps[1] ?? 0))).toBeLessThan(1.5);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
    },
  );

  test('the wax is in the middle, at the point of the flap, over everything, its shadow under it', () => {
    const [shadow, ...wax] = shapes(card()).slice(-4);
    for (const { at } of wax) expect(at.x + 50 * at.scale).toBeCloseTo(SHEET.width / 2);
    expect(new Set(wax.map(({ at }) => at.y)).size).toBe(1);
    expect((shadow?.at.y ?? 0) - (wax[0]?.at.y ?? 0)).toBeCloseTo(0.8);
    const flap = shapes(card()).find(({ fill }) => fill === 'day-card-edge');
    const [point] = [...(flap?.d.matchAll(/Q52\.5 ([\d.]+)/g) ?? [])].map(([, y]) => Number(y));
    // About its centre.
    expect(Math.abs((wax[0]?.at.y ?? 0) + 9.5 - (point ?? 0))).toBeLessThan(4);
  });

  test('a line that takes two stands further down by its own height', () => {
    const long = lines(card('Maria Giovanna Elisabetta della Rovere'));
    const [one, two] = long.filter(({ size }, place) => place > 0 && size === long[1]?.size);
    expect((two?.y ?? 0) - (one?.y ?? 0)).toBeCloseTo((one?.size ?? 0) * 1.2);
  });
});

describe('painted', () => {
  type Stroke = [what: string, ...given: unknown[]];
  let did: Stroke[];
  let canvas: { width: number; height: number };
  let blob: Blob | null;
  let asked: unknown[];
  let pen: Record<string, unknown> | null;

  beforeEach(() => {
    [did, asked, blob] = [[], [], new Blob(['picture'])];
    const act =
      (what: string, ...state: string[]) =>
      (...given: unknown[]) =>
        void did.push([what, ...given, ...state.map((name) => pen?.[name])]);
    const stops: unknown[] = [];
    pen = {
      save: act('save'),
      restore: act('restore'),
      scale: act('scale'),
      translate: act('translate'),
      fill: act('fill', 'fillStyle', 'globalAlpha'),
      stroke: act('stroke', 'strokeStyle', 'lineWidth'),
      fillText: act('text', 'font', 'fillStyle', 'textAlign'),
      measureText: (text: string) => ({ width: text.length * 10 }),
      createRadialGradient: (...at: number[]) => ({
        at,
        stops,
        addColorStop: (place: number, colour: string) => stops.push([place, colour]),
      }),
    };
    canvas = { width: 0, height: 0 };
    Object.assign(canvas, {
      getContext: () => pen,
      toBlob: (done: (made: Blob | null) => void, ...how: unknown[]) => {
        asked = [canvas.width, canvas.height, ...how];
        done(blob);
      },
    });
    vi.stubGlobal('document', { createElement: () => canvas });
    vi.stubGlobal(
      'Path2D',
      class {
        d: string;
        constructor(d: string) {
          this.d = d;
        }
      },
    );
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => `the ${name}` }));
  });
  afterEach(() => vi.unstubAllGlobals());

  const paint = (marks: Mark[], how?: Parameters<typeof paintCard>[2]) =>
    paintCard(marks, {} as Element, how);
  const line = (more: Partial<Line> = {}): Line => ({
    kind: 'line',
    text: 'abc',
    says: 'abc',
    x: 52.5,
    y: 50,
    size: 4,
    ink: 'day-ink',
    weight: 400,
    italic: false,
    spacing: 0,
    ...more,
  });

  test('as many pixels as were asked for, of that kind; and the canvas is given back', async () => {
    expect(await paint([])).toBe(blob);
    expect(asked).toEqual([1_240, 1_748, 'image/png', 0.95]);
    await paint([], { width: 420, height: 592, type: 'image/jpeg' });
    expect(asked).toEqual([420, 592, 'image/jpeg', 0.95]);
    expect([canvas.width, canvas.height]).toEqual([0, 0]);
  });

  test('a shape lies where it should, in the dress’s colours, and leaves the pen as it was', async () => {
    const at = { x: 10, y: 20, scale: 0.5 };
    const marks: Mark[] = [
      { kind: 'shape', d: 'one', at, fill: 'day-ink', opacity: 0.3 },
      { kind: 'shape', d: 'two', at, line: { ink: 'wax-edge', width: 2 } },
    ];
    await paint(marks, { width: 210, height: 296, type: 'image/png' });
    const place = [['save'], ['scale', 2, 2], ['translate', 10, 20], ['scale', 0.5, 0.5]];
    expect(did).toEqual([
      ...place,
      ['fill', { d: 'one' }, 'the --day-ink', 0.3],
      ['restore'],
      ...place,
      ['stroke', { d: 'two' }, 'the --wax-edge', 2],
      ['restore'],
    ]);
    expect(pen?.['globalAlpha']).toBe(1);
  });

  test('a glow goes from its middle outwards', async () => {
    const fill = {
      x: 3,
      y: 4,
      radius: 5,
      stops: [
        [0, 'wax'],
        [1, 'wax-deep'],
      ] as const,
    };
    await paint([{ kind: 'shape', d: 'one', at: { x: 0, y: 0, scale: 1 }, fill }]);
    expect(did.find(([what]) => what === 'fill')?.[2]).toMatchObject({
      at: [3, 4, 0, 3, 4, 5],
      stops: [
        [0, 'the --wax'],
        [1, 'the --wax-deep'],
      ],
    });
  });

  test('a line stands in the middle, in its own letters', async () => {
    const how = { width: 210, height: 296, type: 'image/png' } as const;
    await paint([line(), line({ italic: true, weight: 500 })], how);
    expect(did).toEqual([
      ['text', 'abc', 105, 100, '400 8px the --serif', 'the --day-ink', 'center'],
      ['text', 'abc', 105, 100, 'italic 500 8px the --serif', 'the --day-ink', 'center'],
    ]);
  });

  test('one whose signs stand apart is in the middle, too', async () => {
    await paint([line({ spacing: 0.5 })], { width: 210, height: 296, type: 'image/png' });
    // Three signs of 10, with 4 between them: 38 in all.
    expect(did.map(([, sign, x, y, , , align]) => [sign, x, y, align])).toEqual([
      ['a', 86, 100, 'left'],
      ['b', 100, 100, 'left'],
      ['c', 114, 100, 'left'],
    ]);
  });

  test.each(['canvas', 'picture'])('where there is no %s it says so', async (missing) => {
    if (missing === 'canvas') pen = null;
    else blob = null;
    await expect(paint([line()])).rejects.toThrow();
  });
});
