import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { letPull, letShine } from '../../src/web/scenes/hand.ts';

/** What a hand does to the boarding pass, without a browser: events are told to what listens. */

/** A stand-in for an element or a window. A real event can't be told to be the visitor's own. */
class Touched {
  style: Record<string, string> = {};
  captured: number[] = [];
  readonly #heard = new Map<string, (event: object) => void>();
  addEventListener(type: string, run: (event: object) => void, { signal }: { signal: AbortSignal }): void {
    this.#heard.set(type, run);
    signal.addEventListener('abort', () => this.#heard.delete(type));
  }
  setPointerCapture(id: number): void {
    this.captured.push(id);
  }
  tell(type: string, event: object = {}): void {
    this.#heard.get(type)?.(event);
  }
}

let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => vi.unstubAllGlobals());

describe('the stub', () => {
  let stub: Touched;
  let torn: number;
  beforeEach(() => {
    stub = new Touched();
    torn = 0;
    letPull(stub as unknown as HTMLElement, over.signal, () => {
      torn += 1;
    });
  });

  const press = (more: object = {}) =>
    stub.tell('pointerdown', { button: 0, pointerId: 1, clientX: 100, clientY: 100, ...more });
  const move = (x: number, y = 0, pointerId = 1) =>
    stub.tell('pointermove', { pointerId, clientX: 100 + x, clientY: 100 + y });
  const letGo = (x: number, y = 0) =>
    stub.tell('pointerup', { pointerId: 1, clientX: 100 + x, clientY: 100 + y });
  /** Is a click kept from what lies under it? */
  const isTaken = (more: object = {}) => {
    const taken = { preventDefault: vi.fn(), stopPropagation: vi.fn() };
    stub.tell('click', { isTrusted: true, detail: 1, ...taken, ...more });
    return [taken.preventDefault.mock.calls.length, taken.stopPropagation.mock.calls.length];
  };

  test('gives way from 8 pixels on, a little, and turns with the hand', () => {
    press();
    move(7);
    expect(stub.style).toEqual({});
    move(8);
    expect(stub.style['translate']).toBe('3.2px 0px');
    move(32);
    expect(stub.style).toEqual({
      translate: '12.8px 0px',
      rotate: '2.5deg',
      transition: 'none',
      transformOrigin: '0 0',
    });
    move(-100, 10);
    expect(stub.style).toMatchObject({
      translate: '-40px 4px',
      rotate: '-5deg',
      transformOrigin: '100% 0',
    });
    // Back near where it was it is still in the hand.
    move(2);
    expect(stub.style['translate']).toBe('0.8px 0px');
    expect(stub.captured).toEqual([1]);
  });

  test.each([
    [63, 0, 0],
    [64, 0, 1],
    [-64, 0, 1],
    [39, 50, 0],
    [40, 50, 1],
  ])('let go %i to the side and %i down it is torn off: %i', (x, y, times) => {
    press();
    move(x, y);
    letGo(x, y);
    expect(torn).toBe(times);
    expect([stub.style['translate'], stub.style['rotate'], stub.style['transition']]).toEqual(['', '', '']);
    // In nobody's hand any more.
    move(90);
    expect(stub.style['translate']).toBe('');
  });

  test('follows the finger that took it, and no other button', () => {
    press();
    move(50, 0, 2);
    expect(stub.style).toEqual({});
    letGo(0);
    press({ button: 2 });
    move(50);
    letGo(80);
    expect([stub.style['translate'], torn]).toEqual(['', 0]);
  });

  test('a finger that only came down and up tears nothing off, however far apart', () => {
    press();
    letGo(200);
    expect(torn).toBe(0);
  });

  test('a pull that the browser takes for scrolling is none', () => {
    press();
    move(70);
    stub.tell('pointercancel');
    expect([stub.style['translate'], torn]).toEqual(['', 0]);
    move(90);
    expect(stub.style['translate']).toBe('');
  });

  test('the click that a pull makes presses nothing; a key’s, a script’s and the next do', () => {
    press();
    expect(isTaken()).toEqual([0, 0]);
    move(20);
    letGo(20);
    expect(isTaken()).toEqual([1, 1]);
    expect(isTaken({ detail: 0 })).toEqual([0, 0]);
    expect(isTaken({ isTrusted: false })).toEqual([0, 0]);
    press();
    expect(isTaken()).toEqual([0, 0]);
  });

  test('is not dragged as a picture is; and taken off, it hears nothing', () => {
    const preventDefault = vi.fn();
    stub.tell('dragstart', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    over.abort();
    press();
    move(50);
    letGo(80);
    stub.tell('dragstart', { preventDefault });
    expect([stub.style, torn, isTaken(), preventDefault.mock.calls.length]).toEqual([{}, 0, [0, 0], 1]);
  });
});

describe('the sheen', () => {
  let page: Touched & { matchMedia: () => { matches: boolean }; innerWidth: number };
  let sheen: { style: Record<string, string>; ownerDocument: { defaultView: unknown } };
  let still: boolean;
  beforeEach(() => {
    still = false;
    page = Object.assign(new Touched(), { matchMedia: () => ({ matches: still }), innerWidth: 400 });
    sheen = { style: {}, ownerDocument: { defaultView: page } };
    vi.stubGlobal('DeviceOrientationEvent', () => {});
  });
  const shine = () => letShine(sheen as unknown as HTMLElement, over.signal);
  const at = () => sheen.style['translate'];

  test.each([
    [0, '-24%'],
    [100, '-12%'],
    [200, '0%'],
    [400, '24%'],
  ])('is where the pointer is: at %i of 400 it is at %s', (clientX, place) => {
    shine();
    page.tell('pointermove', { clientX });
    expect(at()).toBe(place);
  });

  test('follows the tilt, from how the phone was held, and no further than the edge', () => {
    shine();
    page.tell('deviceorientation', { gamma: null });
    expect(at()).toBeUndefined();
    const places = [10, 22, 60, -2, -60].map((gamma) => {
      page.tell('deviceorientation', { gamma });
      return at();
    });
    expect(places).toEqual(['0%', '12%', '24%', '-12%', '-24%']);
  });

  test.each([
    ['that asks before it tells', Object.assign(() => {}, { requestPermission: () => {} })],
    ['that has no such thing', undefined],
  ])('a phone %s is not asked', (_which, event) => {
    vi.stubGlobal('DeviceOrientationEvent', event);
    shine();
    page.tell('deviceorientation', { gamma: 10 });
    expect(at()).toBeUndefined();
    page.tell('pointermove', { clientX: 400 });
    expect(at()).toBe('24%');
  });

  test('stands still where motion isn’t wanted, where there is no page, and once it is over', () => {
    still = true;
    shine();
    page.tell('pointermove', { clientX: 400 });
    sheen.ownerDocument.defaultView = null;
    shine();
    sheen.ownerDocument.defaultView = page;
    still = false;
    shine();
    over.abort();
    page.tell('pointermove', { clientX: 400 });
    expect(at()).toBeUndefined();
  });
});
