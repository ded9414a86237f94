import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeLetter } from '../../src/web/visitor/experience/curtain.ts';
import { fadeOutScene, shrinkIntoPlace } from '../../src/web/visitor/experience/passing.ts';
import { type Surround, surroundFilm } from '../../src/web/visitor/media/surround.ts';
import { type StandInCanvas, type StandInMedia, standInMedia } from './support/media.ts';
import { settle } from './support/page.ts';

/** Transitions from one scene to the next, and from the film to the scene after it. */

let still: boolean;
let saving: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  [still, saving] = [false, false];
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
});
afterEach(() => {
  document.body.replaceChildren();
});
const pass = (ms: number) => vi.advanceTimersByTime(ms);

describe('closing of the letter', () => {
  type Moving = {
    of: Element;
    frames: object | null;
    over: () => void;
    finish: () => void;
    onfinish?: () => void;
  };
  let moving: Moving[];
  beforeEach(() => {
    moving = [];
    Element.prototype.animate = function animate(this: Element, frames: never) {
      const { promise: finished, resolve: over } = Promise.withResolvers<void>();
      const one = { of: this, frames, finished, over, finish: vi.fn(over) };
      moving.push(one);
      return one as never;
    };
    document.body.innerHTML =
      '<main data-hour="dawn"><div data-stays><span data-heart></span></div><p>Parole</p><div data-head="true"></div></main>' +
      '<i data-wax></i><h1 data-addressee><span>Giulia</span></h1>';
  });
  const curtain = () => document.body.lastElementChild as HTMLElement;
  const moved = (selector: string) => moving.filter(({ of }) => of.matches(selector));

  test('moves the hearts into the wax, writes the name and leaves nothing', async () => {
    void closeLetter();
    expect([curtain().textContent, curtain().querySelectorAll('[data-heart]').length]).toEqual(['', 1]);
    expect(moved('[data-wax]')).toEqual([]);
    moving.find(({ frames }) => frames === null)?.over();
    await settle();
    expect(moved('[data-wax], h1, h1 > span')).toHaveLength(3);
    // The hearts, the stored tickets and the point that becomes the wax.
    expect(curtain().children).toHaveLength(3);
    const shown = curtain();
    moving.findLast(({ of }) => of === shown)?.over();
    await settle();
    expect(shown.isConnected).toBe(false);
  });

  test('finishes at once at a tap', async () => {
    void closeLetter();
    moving.find(({ frames }) => frames === null)?.over();
    await settle();
    const shown = curtain();
    fireEvent.pointerDown(document.body);
    for (const { finish } of moved('[data-wax], h1, h1 > span')) expect(finish).toHaveBeenCalledOnce();
    moving.findLast(({ of }) => of === shown)?.onfinish?.();
    expect(shown.isConnected).toBe(false);
  });

  test('fades out with reduced motion', async () => {
    still = true;
    void closeLetter();
    moving.find(({ frames }) => frames === null)?.over();
    await settle();
    expect(moved('[data-wax]')).toEqual([]);
    expect(moving.findLast(({ of }) => of === curtain())?.frames).toEqual({ opacity: 0 });
  });
});

describe('scene transition', () => {
  type Way = {
    frames: { transform: string; borderRadius?: string }[];
    timing: { duration: number; delay?: number };
    onfinish?: () => void | Promise<void>;
  };
  let ways: Map<Element, Way[]>;
  /** Resolves when the card's own picture is decoded. */
  let isDecoded: () => void;
  beforeEach(() => {
    ways = new Map();
    Element.prototype.animate = function animate(this: Element, frames: never, timing: never) {
      const way: Way = { frames, timing };
      ways.set(this, [...(ways.get(this) ?? []), way]);
      return way as never;
    };
  });

  const rect = (x: number, y: number, width: number, height: number) =>
    ({ x, y, width, height, top: y }) as DOMRect;
  /** Renders a page with one scene that has a fixed rectangle on the screen. */
  function shown(html = '<div></div>') {
    document.body.innerHTML = `<div><section>${html}</section></div>`;
    const scene = document.querySelector('section') ?? expect.unreachable();
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(rect(0, 0, 400, 800));
    const [around, part] = [scene.parentElement as HTMLElement, scene.firstElementChild as HTMLElement];
    return { scene, around, part, scrolled: vi.spyOn(part, 'scrollTo') };
  }

  test('leaves the old scene in place, inert and at its scroll position, until it has faded out', async () => {
    const { around, scene, part, scrolled } = shown();
    part.scrollTop = 120;
    scene.getBoundingClientRect = () => rect(0, 30, 390, 700);
    fadeOutScene(scene);
    expect(scene.childElementCount).toBe(0);
    await settle();
    const left = around.children[1] as HTMLElement;
    expect([left.inert, left.ariaHidden, left.firstElementChild]).toEqual([true, 'true', part]);
    expect([left.style.top, left.style.width, left.style.height]).toEqual(['30px', '390px', '700px']);
    expect(scrolled.mock.calls).toEqual([[0, 120]]);
    fireEvent.animationEnd(left);
    expect([...around.children]).toEqual([scene]);
  });

  test('does not scroll an unscrolled scene, and leaves nothing with reduced motion', async () => {
    const first = shown();
    fadeOutScene(first.scene);
    await settle();
    expect(first.scrolled).not.toHaveBeenCalled();
    still = true;
    const { around, scene, part } = shown();
    fadeOutScene(scene);
    await settle();
    expect([[...around.children], [...scene.children]]).toEqual([[scene], [part]]);
  });

  /** Moves a picture of 1600 × 800 that fills the screen to its place in the next scene. */
  async function passed(place = rect(100, 200, 200, 100), position = '50% 50%', natural = [1_600, 800]) {
    const { around, scene, part: before } = shown('<img data-picture>');
    for (const [index, name] of ['naturalWidth', 'naturalHeight'].entries())
      Object.defineProperty(before, name, { value: natural[index] });
    fadeOutScene(scene);
    await settle();
    const after = Object.assign(document.createElement('img'), {
      getBoundingClientRect: () => place,
      decode: () => new Promise<void>((resolve) => (isDecoded = resolve)),
    });
    after.dataset['picture'] = '';
    vi.stubGlobal('getComputedStyle', () => ({
      objectPosition: position,
      borderTopLeftRadius: '20px',
      borderTopRightRadius: '20px',
      borderBottomRightRadius: '0px',
      borderBottomLeftRadius: '',
    }));
    scene.append(after);
    shrinkIntoPlace(scene);
    await settle();
    const frame = around.children[1] as HTMLElement;
    return { scene, before, frame, frames: ways.get(frame) ?? [], pictures: ways.get(before) ?? [] };
  }
  const numbers = (way: Way | undefined, at: number) =>
    (way?.frames.at(at)?.transform.match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map((each) =>
      Number(Number(each).toFixed(3)),
    );

  test('shrinks the picture from the whole screen to its place in a straight line, then fades it out', async () => {
    const { scene, frame, frames } = await passed();
    expect([scene.dataset['drawn'], frame.childElementCount, frame.inert]).toEqual(['true', 1, true]);
    const [way, corners] = frames;
    expect([way?.timing, corners?.timing]).toMatchObject([{ duration: 1_150 }, { duration: 1_150 }]);
    expect([way?.timing.delay ?? 0, way?.frames.length]).toEqual([0, 25]);
    expect([0, 12, -1].map((at) => numbers(way, at))).toEqual([
      [0, 0, 1, 1],
      [50, 100, 0.75, 0.563],
      [100, 200, 0.5, 0.125],
    ]);
    // The corners are rounder midway than at the ends, independent of the frame's scale.
    expect([0, 12, -1].map((at) => corners?.frames.at(at)?.borderRadius)).toEqual([
      '0px 0px 0px 0px / 0px 0px 0px 0px',
      expect.stringMatching(
        /^42\.6\d+px 42\.6\d+px 29\.3\d+px 29\.3\d+px \/ 56\.8\d+px 56\.8\d+px 39\.1\d+px 39\.1\d+px$/,
      ),
      '40px 40px 0px 0px / 160px 160px 0px 0px',
    ]);
    const ended = way?.onfinish?.();
    expect(frames).toHaveLength(2);
    isDecoded();
    await ended;
    const end = ways.get(frame)?.at(-1);
    expect([end?.frames, end?.timing.duration]).toEqual([{ opacity: [1, 0] }, 260]);
    void end?.onfinish?.();
    expect(frame.parentElement).toBeNull();
    // Without a picture nothing is animated.
    const none = await passed(undefined, undefined, [0, 0]);
    expect([none.scene.dataset['drawn'], none.frames]).toEqual([undefined, []]);
  });

  test('opens the destination’s picture from its focus by a circle, but not with reduced motion', async () => {
    const opened = async () => {
      const { scene, part } = shown('<img data-picture="iris">');
      const picture = Object.assign(part, { decode: async () => {} });
      vi.stubGlobal('getComputedStyle', () => ({ objectPosition: '50% 50%' }));
      vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(rect(0, 0, 600, 800));
      shrinkIntoPlace(scene);
      await settle();
      await vi.advanceTimersByTimeAsync(600);
      const iris = scene.children[1] as HTMLElement | undefined;
      return {
        picture,
        iris,
        way: iris && ways.get(iris)?.[0],
        inside: iris?.firstElementChild as HTMLElement,
      };
    };
    const { picture, iris, way, inside } = await opened();
    // The corners of 600 × 800 are 500 pixels from the middle.
    expect([iris?.style.left, iris?.style.width]).toEqual(['-200px', '1000px']);
    expect([inside.style.left, inside.style.transformOrigin]).toEqual(['200px', '300px 400px']);
    expect([picture.style.visibility, inside.style.visibility, inside.dataset['picture']]).toEqual([
      'hidden',
      '',
      undefined,
    ]);
    const scales = (way?.frames as unknown as { transform: string[] } | undefined)?.transform;
    expect([scales?.length, scales?.[0], scales?.at(-1)]).toEqual([25, 'scale(0.04)', 'scale(1)']);
    void way?.onfinish?.();
    expect([picture.style.visibility, iris?.isConnected]).toEqual(['', false]);
    still = true;
    const calm = await opened();
    expect([calm.iris, calm.picture.style.visibility]).toEqual([undefined, '']);
  });

  test.each([
    ['50% 50%', -600, 100, [2, 8, 0, 0, 0.125]],
    ['100% 0%', -1_200, 100, [2, 8, 0, 0, 0.125]],
    // A frame of 200 × 50 shows the lower half of a picture of 200 × 100.
    ['50% 100%', -600, 50, [2, 16, 0, -50, 0.125]],
  ])(
    'covers the frame with the picture throughout, with its focus at %s',
    async (position, x, height, last) => {
      const { before, pictures } = await passed(rect(100, 200, 200, height), position);
      expect([before.style.width, before.style.height]).toEqual(['1600px', '800px']);
      // At first the frame is the screen, 400 × 800: the picture has the same height and four times the width.
      expect([numbers(pictures[0], 0), numbers(pictures[0], -1)]).toEqual([[1, 1, x, 0, 1], last]);
    },
  );
});

describe('film surround', () => {
  let film: StandInMedia;
  let media: ReturnType<typeof standInMedia>;
  let surround: Surround;
  let sized: (width: number, height: number) => void;
  let watched: unknown[];

  /** Surrounds a playing film of 1600 × 900 on an upright phone. */
  function begin(): StandInCanvas {
    media = standInMedia();
    ({ film } = media);
    watched = [];
    for (const [name, size] of Object.entries({ innerWidth: 400, innerHeight: 800 }))
      vi.stubGlobal(name, size);
    vi.stubGlobal('navigator', { connection: { saveData: saving } });
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(onResize: (entries: { contentRect: object }[]) => void) {
          sized = (width, height) => onResize([{ contentRect: { width, height } }]);
        }
        observe = (element: unknown) => void watched.push(element);
        disconnect = () => void watched.splice(0);
      },
    );
    const playing = {
      readyState: 2,
      videoWidth: 1_600,
      videoHeight: 900,
      paused: false,
      HAVE_CURRENT_DATA: 2,
    };
    Object.assign(film, playing);
    surround = surroundFilm();
    return media.wrapper.firstElementChild as StandInCanvas;
  }
  const strengths = ({ drawn }: StandInCanvas) => drawn.map(({ alpha }) => Math.round(alpha * 100));
  const left = () =>
    [...document.body.children].find((each) => each !== media.wrapper) as HTMLElement | undefined;

  test('draws the film small and dark, five times, over earlier frames, and pauses with it', () => {
    const glow = begin();
    expect(watched).toEqual([media.wrapper]);
    pass(199);
    expect(glow.drawn).toEqual([]);
    pass(1);
    expect([glow.width, glow.height, strengths(glow)]).toEqual([96, 54, [100, 40, 40, 40, 40]]);
    const places = [0, 3, -3, 0, 0].map((x, index) => [x, [0, 0, 0, 3, -3][index], 96, 54]);
    expect(glow.drawn.map(({ at }) => at)).toEqual(places);
    expect(glow.drawn[0]?.what).toHaveProperty('drawn', [
      { what: film, at: [0, 0, 16, 9], alpha: 1 },
      { what: 'rgb(11 5 10 / 58%)', at: [0, 0, 16, 9], alpha: 1 },
    ]);
    pass(200);
    expect(strengths(glow).slice(5)).toEqual([45, 18, 18, 18, 18]);
    film.paused = true;
    pass(10_000);
    expect(glow.drawn).toHaveLength(10);
    surround.remove();
    film.paused = false;
    pass(10_000);
    expect([glow.drawn.length, glow.isConnected, watched]).toEqual([10, false, []]);
  });

  test.each(['motion', 'data'])('stays at the first picture with reduced %s', (what) => {
    still = what === 'motion';
    saving = what === 'data';
    const glow = begin();
    pass(10_000);
    expect(glow.drawn).toHaveLength(5);
  });

  test.each<[string, number, () => void]>([
    ['draws nothing of a film that isn’t there', 0, () => Object.assign(film, { readyState: 1 })],
    ['draws nothing of one without a height', 0, () => Object.assign(film, { videoHeight: 0 })],
    ['draws nothing of one without a width', 0, () => Object.assign(film, { videoWidth: 0 })],
    ['draws nothing unseen', 0, () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)],
    ['draws nothing beside a film without bars', 0, () => sized(1_600, 900)],
    ['draws nothing beside bars of no use', 0, () => sized(1_600, 885)],
    ['draws nothing beside narrow ones', 0, () => sized(1_570, 900)],
    ['draws above and below', 25, () => sized(1_600, 920)],
    ['draws at a film that is cut', 25, () => sized(1_600, 880)],
    ['draws at its sides', 25, () => sized(1_565, 900)],
  ])('%s', (_what, times, be) => {
    const glow = begin();
    be();
    pass(1_000);
    expect(glow.drawn).toHaveLength(times);
  });

  test('adapts to another film’s shape and to a whole poster, and works without a canvas', () => {
    const glow = begin();
    pass(200);
    Object.assign(film, { videoWidth: 900, videoHeight: 1_600 });
    pass(200);
    expect([glow.width, glow.height]).toEqual([96, 171]);
    Object.assign(film, { videoWidth: 9_000, videoHeight: 10 });
    pass(200);
    expect(glow.height).toBe(1);
    expect(glow.drawn.at(-1)?.what).toEqual(expect.objectContaining({ width: 16, height: 1 }));
    const poster = document.createElement('img');
    for (const [name, value] of Object.entries({ naturalWidth: 400, naturalHeight: 300 }))
      Object.defineProperty(poster, name, { value });
    surround.show(poster);
    expect([strengths(glow).slice(-5), glow.height]).toEqual([[100, 40, 40, 40, 40], 72]);
    media.draws = false;
    surround = surroundFilm();
    pass(1_000);
    surround.leaveAfterImage()();
    expect((media.wrapper.firstElementChild as StandInCanvas).drawn).toEqual([]);
  });

  test.each([
    { screen: [400, 800], size: [400, 225] },
    { screen: [1_600, 450], size: [800, 450] },
    { screen: [3_000, 2_000], size: [1_600, 900] },
  ])(
    'leaves the last picture, at the resolution that $screen needs, until it has faded out',
    ({ screen, size }) => {
      const glow = begin();
      for (const [index, name] of ['innerWidth', 'innerHeight'].entries()) vi.stubGlobal(name, screen[index]);
      const dissolve = surround.leaveAfterImage();
      const [around, picture] = [...(left()?.children ?? [])] as [StandInCanvas, StandInCanvas];
      expect(around.drawn[0]?.what).toEqual(glow);
      expect(picture.drawn[0]).toEqual({ what: film, at: [0, 0, ...size], alpha: 1 });
      pass(60_000);
      expect(left()?.dataset['fading']).toBeUndefined();
      dissolve();
      expect(left()?.dataset['fading']).toBe('true');
      fireEvent.animationEnd(left() ?? expect.unreachable());
      expect(left()).toBeUndefined();
    },
  );

  test('removes the last picture after four seconds, and leaves none without a frame or with reduced motion', () => {
    begin();
    surround.leaveAfterImage()();
    pass(3_999);
    expect(left()).toBeDefined();
    pass(1);
    expect(left()).toBeUndefined();
    for (const be of [() => (film.readyState = 1), () => ((film.readyState = 2), (still = true))]) {
      be();
      surround.leaveAfterImage()();
      expect(left()).toBeUndefined();
    }
  });
});
