import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { arrive, leave } from '../../src/web/visitor/experience/passing.ts';
import {
  StandIn,
  StandInImage,
  type StandInPage,
  standInPage,
  standInWindow,
} from '../support/stand-in-page.ts';

/** How one scene passes into the next: what stays on the screen, and the way of the picture that both show. */

type Frame = { transform?: string; opacity?: number[] };
type Way = { frames: Frame[] | Frame; timing: { duration: number; delay?: number }; onfinish?: () => void };
type Box = { x: number; y: number; width: number; height: number; top: number };

let page: StandInPage;
let still: boolean;
let focus: string;
/** What was set going, by the element. */
let ways: Map<StandIn, Way[]>;

/** A scene, or a part of one, that lies there. */
class Laid extends StandIn {
  box: Box = { x: 0, y: 0, width: 400, height: 800, top: 0 };
  scrollTop = 0;
  scrolled: number[] = [];
  getBoundingClientRect = () => this.box;
  scrollTo = (_x: number, y: number) => void this.scrolled.push(y);
  querySelector(which: string): StandIn | null {
    const all = (element: StandIn): StandIn[] => [element, ...element.children.flatMap(all)];
    const is = (element: StandIn) =>
      which.startsWith('.') ? element.className === which.slice(1) : 'picture' in element.dataset;
    return this.children.flatMap(all).find(is) ?? null;
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page = standInPage();
  standInWindow();
  [still, focus, ways] = [false, '50% 50%', new Map()];
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
  vi.stubGlobal('getComputedStyle', () => ({ objectPosition: focus }));
  Object.assign(page, {
    createElement: (tag: string) => {
      const element = new Laid(tag);
      return moving(element);
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function moving<T extends StandIn>(element: T): T {
  const animate = (frames: Frame[], timing: Way['timing']) => {
    const way: Way = { frames, timing };
    ways.set(element, [...(ways.get(element) ?? []), way]);
    return way;
  };
  return Object.assign(element, { animate });
}
const asScene = (element: StandIn) => element as unknown as HTMLElement;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A page on which a scene of one part stands. */
function shown(): { around: Laid; scene: Laid; part: Laid } {
  const [around, scene, part] = [new Laid('div'), new Laid('section'), new Laid('div')];
  around.append(scene);
  scene.append(part);
  return { around, scene, part };
}

test('what a scene shows stays where it was, as far as it was read and out of reach, until it has dissolved', async () => {
  const { around, scene, part } = shown();
  part.scrollTop = 120;
  scene.box = { x: 0, y: 30, width: 390, height: 700, top: 30 };
  leave(asScene(scene));
  expect(scene.children).toEqual([]);
  await settle();
  const left = around.children[1];
  expect(left).toMatchObject({
    inert: true,
    ariaHidden: 'true',
    children: [part],
    style: { top: '30px', width: '390px', height: '700px' },
  });
  expect(part.scrolled).toEqual([120]);
  left?.dispatchEvent(new Event('animationend'));
  expect(around.children).toEqual([scene]);
});

test('what wasn’t scrolled isn’t', async () => {
  const { scene, part } = shown();
  leave(asScene(scene));
  await settle();
  expect(part.scrolled).toEqual([]);
});

test('where motion isn’t wanted, or the scene stands nowhere, nothing of it stays', async () => {
  const { around, scene, part } = shown();
  still = true;
  leave(asScene(scene));
  still = false;
  const alone = new Laid('section');
  leave(asScene(alone));
  await settle();
  expect([around.children, scene.children, alone.parentElement]).toEqual([[scene], [part], null]);
});

/** A picture of 1600 × 800 that fills the screen, and the same in its place in the next scene. */
async function passed(
  place: Partial<Box> = {},
  natural = { naturalWidth: 1_600, naturalHeight: 800 },
): Promise<{ scene: Laid; before: StandInImage; ways: Way[][]; frame: StandIn | undefined }> {
  const { around, scene } = shown();
  const before = moving(Object.assign(new StandInImage('img'), natural));
  before.dataset['picture'] = '';
  scene.children = [];
  scene.append(before);
  leave(asScene(scene));
  await settle();
  const after = new Laid('img');
  after.dataset['picture'] = '';
  after.box = { x: 100, y: 200, width: 200, height: 100, top: 200, ...place };
  scene.append(after);
  arrive(asScene(scene));
  await settle();
  const frame = around.children[1];
  return {
    scene,
    before,
    ways: [ways.get(before) ?? [], frame === undefined ? [] : (ways.get(frame) ?? [])],
    frame,
  };
}
/** The numbers in the transformation of a place on the way, counted from 0. */
const numbers = (way: Way | undefined, place: number) => {
  const frames = way?.frames;
  const text = Array.isArray(frames) ? frames.at(place)?.transform : '';
  return (text?.match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map((each) => Number(Number(each).toFixed(3)));
};

test('the picture draws back from the whole screen into its place, in a straight line', async () => {
  const {
    scene,
    frame,
    ways: [, frames = []],
  } = await passed();
  expect([scene.dataset['drawn'], frame?.children.length, frame?.inert]).toEqual(['true', 1, true]);
  expect(frames.map(({ timing }) => [timing.delay ?? 0, timing.duration])).toEqual([
    [0, 1_150],
    [1_150, 260],
  ]);
  const [way] = frames;
  expect(Array.isArray(way?.frames) && way.frames.length).toBe(25);
  expect(numbers(way, 0)).toEqual([0, 0, 1, 1]);
  expect(numbers(way, 12)).toEqual([50, 100, 0.75, 0.563]);
  expect(numbers(way, -1)).toEqual([100, 200, 0.5, 0.125]);
  expect(frames[1]?.frames).toEqual({ opacity: [1, 0] });
});

test.each([
  ['50% 50%', -600, 0],
  ['0% 50%', 0, 0],
  ['100% 0%', -1_200, 0],
])('it covers its frame all the way, its focus at %s', async (at, x, y) => {
  focus = at;
  const {
    before,
    ways: [pictures = []],
  } = await passed();
  expect(before.style).toMatchObject({ width: '1600px', height: '800px' });
  const [way] = pictures;
  // At first the frame is the screen, 400 × 800: as high as the picture, which is four times as wide.
  expect(numbers(way, 0)).toEqual([1, 1, x, y, 1]);
  // At last it is as the picture is, 2 : 1, which covers it wholly; the frame's own scaling is taken back.
  expect(numbers(way, -1)).toEqual([2, 8, 0, 0, 0.125]);
});

test('the focus counts up and down as well', async () => {
  focus = '50% 100%';
  const {
    ways: [pictures = []],
  } = await passed({ height: 50 });
  // A frame of 200 × 50 in a picture of 200 × 100: its lower half.
  expect(numbers(pictures[0], -1).slice(2)).toEqual([0, -50, 0.125]);
});

test('once it has given way it is taken off', async () => {
  const {
    frame,
    ways: [, frames = []],
  } = await passed();
  expect(frame?.parentElement).not.toBeNull();
  frames[1]?.onfinish?.();
  expect(frame?.parentElement).toBeNull();
});

test('a picture that isn’t there, or wasn’t in the scene before, draws nothing back', async () => {
  const { scene, frame } = await passed({}, { naturalWidth: 0, naturalHeight: 0 });
  expect([scene.dataset['drawn'], frame?.children.length]).toEqual([undefined, 1]);
  const other = shown();
  leave(asScene(other.scene));
  await settle();
  const after = new Laid('img');
  after.dataset['picture'] = '';
  other.scene.append(after);
  arrive(asScene(other.scene));
  const none = shown();
  arrive(asScene(none.scene));
  await settle();
  expect([other.scene.dataset['drawn'], none.scene.dataset['drawn'], ways.size]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});
