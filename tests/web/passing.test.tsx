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
});

describe('scene transition', () => {
  type Way = {
    frames: { transform: string }[];
    onfinish?: () => void | Promise<void>;
  };
  let ways: Map<Element, Way[]>;
  /** Resolves when the card's own picture is decoded. */
  let isDecoded: () => void;
  beforeEach(() => {
    ways = new Map();
    Element.prototype.animate = function animate(this: Element, frames: never) {
      const way: Way = { frames };
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

  /** Moves a picture of 1600 × 800 that fills the screen to its place in the next scene. */
  async function passed() {
    const { around, scene, part: before } = shown('<img data-picture>');
    for (const [name, value] of Object.entries({ naturalWidth: 1_600, naturalHeight: 800 }))
      Object.defineProperty(before, name, { value });
    fadeOutScene(scene);
    await settle();
    const after = Object.assign(document.createElement('img'), {
      getBoundingClientRect: () => rect(100, 200, 200, 100),
      decode: () => new Promise<void>((resolve) => (isDecoded = resolve)),
    });
    after.dataset['picture'] = '';
    vi.stubGlobal('getComputedStyle', () => ({
      objectPosition: '50% 50%',
      borderTopLeftRadius: '20px',
      borderTopRightRadius: '20px',
      borderBottomRightRadius: '0px',
      borderBottomLeftRadius: '',
    }));
    scene.append(after);
    shrinkIntoPlace(scene);
    await settle();
    const frame = around.children[1] as HTMLElement;
    return { scene, frame, frames: ways.get(frame) ?? [] };
  }
  const numbers = (way: Way | undefined, at: number) =>
    (way?.frames.at(at)?.transform.match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map((each) =>
      Number(Number(each).toFixed(3)),
    );

  test('shrinks the picture from the whole screen to its place in a straight line, then fades it out', async () => {
    const { scene, frame, frames } = await passed();
    expect([scene.dataset['drawn'], frame.childElementCount, frame.inert]).toEqual(['true', 1, true]);
    const [way] = frames;
    expect([0, 12, -1].map((at) => numbers(way, at))).toEqual([
      [0, 0, 1, 1],
      [50, 100, 0.75, 0.563],
      [100, 200, 0.5, 0.125],
    ]);
    const ended = way?.onfinish?.();
    expect(frames).toHaveLength(2);
    isDecoded();
    await ended;
    void ways.get(frame)?.at(-1)?.onfinish?.();
    expect(frame.parentElement).toBeNull();
  });

  test('hides a destination’s picture until its iris has opened, but not with reduced motion', async () => {
    const opened = async () => {
      const { scene, part } = shown('<img data-picture="iris">');
      const picture = Object.assign(part, { decode: async () => {} });
      vi.stubGlobal('getComputedStyle', () => ({ objectPosition: '50% 50%' }));
      shrinkIntoPlace(scene);
      await settle();
      await vi.advanceTimersByTimeAsync(600);
      return { picture, iris: scene.children[1] as HTMLElement | undefined };
    };
    const { picture, iris } = await opened();
    expect(picture.style.visibility).toBe('hidden');
    void ways.get(iris ?? expect.unreachable())?.[0]?.onfinish?.();
    expect([picture.style.visibility, iris?.isConnected]).toEqual(['', false]);
    still = true;
    const calm = await opened();
    expect([calm.iris, calm.picture.style.visibility]).toEqual([undefined, '']);
  });
});

describe('film surround', () => {
  let film: StandInMedia;
  let media: ReturnType<typeof standInMedia>;
  let surround: Surround;
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

  test('leaves the last picture until it has faded out', () => {
    const glow = begin();
    const dissolve = surround.leaveAfterImage();
    const [around, picture] = [...(left()?.children ?? [])] as [StandInCanvas, StandInCanvas];
    expect(around.drawn[0]?.what).toEqual(glow);
    expect(picture.drawn[0]).toEqual({ what: film, at: [0, 0, 400, 225], alpha: 1 });
    pass(60_000);
    expect(left()?.dataset['fading']).toBeUndefined();
    dissolve();
    expect(left()?.dataset['fading']).toBe('true');
    fireEvent.animationEnd(left() ?? expect.unreachable());
    expect(left()).toBeUndefined();
  });

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
