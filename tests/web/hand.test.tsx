import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enablePull, enableSheen } from '../../src/web/scenes/hand.ts';

/** What a hand does to the boarding pass. */

let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => {
  over.abort();
});

describe('the stub', () => {
  let stub: HTMLElement;
  let torn: number;
  let captured: number[];
  beforeEach(() => {
    [stub, torn, captured] = [document.createElement('footer'), 0, []];
    stub.setPointerCapture = (id) => void captured.push(id);
    enablePull(stub, over.signal, () => void (torn += 1));
  });
  const press = (more: object = {}) =>
    fireEvent.pointerDown(stub, { button: 0, pointerId: 1, clientX: 100, clientY: 100, ...more });
  const move = (x: number, y = 0, pointerId = 1) =>
    fireEvent.pointerMove(stub, { pointerId, clientX: 100 + x, clientY: 100 + y });
  const letGo = (x: number, y = 0) =>
    fireEvent.pointerUp(stub, { pointerId: 1, clientX: 100 + x, clientY: 100 + y });
  /** Is a click kept from what lies under it? */
  const isTaken = (more: object = {}) => {
    const event = new MouseEvent('click', { cancelable: true, bubbles: true });
    for (const [name, value] of Object.entries({ isTrusted: true, detail: 1, ...more }))
      Object.defineProperty(event, name, { value });
    const stopped = vi.spyOn(event, 'stopPropagation');
    const taken = !stub.dispatchEvent(event);
    expect(stopped.mock.calls.length > 0).toBe(taken);
    return taken;
  };
  const look = () =>
    ['translate', 'rotate', 'transition', 'transformOrigin'].map((name) => Reflect.get(stub.style, name));

  test('gives way from 8 pixels on, a little, and turns with the hand', () => {
    press();
    move(7);
    expect(look()).toEqual(['', '', '', '']);
    move(8);
    expect(stub.style.translate).toBe('3.2px 0px');
    move(32);
    expect(look()).toEqual(['12.8px 0px', '2.5deg', 'none', '0 0']);
    move(-100, 10);
    expect(look()).toEqual(['-40px 4px', '-5deg', 'none', '100% 0']);
    // Back near where it was it is still in the hand.
    move(2);
    expect([stub.style.translate, captured]).toEqual(['0.8px 0px', [1]]);
  });

  test.each([
    [63, 0, 0],
    [64, 0, 1],
    [-64, 0, 1],
    [39, 50, 0],
    [40, 50, 1],
  ])('is torn off when it is let go %i to the side and %i down: %i', (x, y, times) => {
    press();
    move(x, y);
    letGo(x, y);
    expect([torn, ...look().slice(0, 3)]).toEqual([times, '', '', '']);
    // In nobody's hand any more.
    move(90);
    expect(stub.style.translate).toBe('');
  });

  test('follows the finger that took it alone, keeps its click from what lies under it, and hears nothing once it is off', () => {
    press();
    expect(isTaken()).toBe(false);
    move(50, 0, 2);
    letGo(200);
    press({ button: 2 });
    move(50);
    letGo(80);
    press();
    move(70);
    fireEvent.pointerCancel(stub);
    move(90);
    expect([stub.style.translate, torn]).toEqual(['', 0]);
    press();
    move(20);
    letGo(20);
    // A key's click, a script's and the next are let through.
    expect([isTaken(), isTaken({ detail: 0 }), isTaken({ isTrusted: false })]).toEqual([true, false, false]);
    press();
    expect([isTaken(), fireEvent.dragStart(stub)]).toEqual([false, false]);
    over.abort();
    press();
    move(50);
    letGo(80);
    expect([stub.style.translate, torn, isTaken(), fireEvent.dragStart(stub)]).toEqual(['', 0, false, true]);
  });
});

describe('the sheen', () => {
  let sheen: HTMLElement;
  let still = false;
  const shine = (...moves: unknown[]) => {
    window.matchMedia = (() => ({ matches: still })) as never;
    vi.stubGlobal('innerWidth', 400);
    vi.stubGlobal('DeviceOrientationEvent', moves.length === 0 ? Event : moves[0]);
    sheen = document.createElement('span');
    document.body.append(sheen);
    enableSheen(sheen, over.signal);
  };
  const tilt = (gamma: number | null) => {
    fireEvent(window, Object.assign(new Event('deviceorientation'), { gamma }));
    return sheen.style.translate;
  };
  const point = (clientX: number) => {
    fireEvent.pointerMove(window, { clientX });
    return sheen.style.translate;
  };

  test('is where the pointer is, and follows the tilt from how the phone was held, no further than the edge', () => {
    shine();
    expect([0, 100, 200, 400].map(point)).toEqual(['-24%', '-12%', '0%', '24%']);
    expect(tilt(null)).toBe('24%');
    expect([10, 22, 60, -2, -60].map(tilt)).toEqual(['0%', '12%', '24%', '-12%', '-24%']);
  });

  test('asks no phone that asks before it tells, and stands still where motion isn’t wanted and once it is over', () => {
    for (const event of [Object.assign(() => {}, { requestPermission: () => {} }), undefined]) {
      shine(event);
      expect([tilt(10), point(400)]).toEqual(['', '24%']);
    }
    still = true;
    shine();
    expect(point(400)).toBe('');
    still = false;
    shine();
    over.abort();
    expect(point(400)).toBe('');
  });
});
