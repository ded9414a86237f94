import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enablePull } from '../../src/web/scenes/hand.ts';

/** The stub of the boarding pass, torn off by the pointer. */

let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => {
  over.abort();
});

describe('boarding pass stub', () => {
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
  const releasePointer = (x: number, y = 0) =>
    fireEvent.pointerUp(stub, { pointerId: 1, clientX: 100 + x, clientY: 100 + y });
  /** Returns true if a click on the stub is suppressed. */
  const isTaken = (more: object = {}) => {
    const event = new MouseEvent('click', { cancelable: true, bubbles: true });
    for (const [name, value] of Object.entries({ isTrusted: true, detail: 1, ...more }))
      Object.defineProperty(event, name, { value });
    const stopped = vi.spyOn(event, 'stopPropagation');
    const isPrevented = !stub.dispatchEvent(event);
    expect(stopped.mock.calls.length > 0).toBe(isPrevented);
    return isPrevented;
  };
  const look = () =>
    ['translate', 'rotate', 'transition', 'transformOrigin'].map((name) => Reflect.get(stub.style, name));

  test('moves from 8 pixels on, damped, and turns with the pointer', () => {
    press();
    move(7);
    expect(look()).toEqual(['', '', '', '']);
    move(8);
    expect(stub.style.translate).toBe('3.2px 0px');
    move(32);
    expect(look()).toEqual(['12.8px 0px', '2.5deg', 'none', '0 0']);
    move(-100, 10);
    expect(look()).toEqual(['-40px 4px', '-5deg', 'none', '100% 0']);
    // Near its start the stub still follows the pointer.
    move(2);
    expect([stub.style.translate, captured]).toEqual(['0.8px 0px', [1]]);
  });

  test.each([
    [63, 0, 0],
    [64, 0, 1],
    [-64, 0, 1],
    [39, 50, 0],
    [40, 50, 1],
  ])('tears off when released %i to the side and %i down: %i', (x, y, times) => {
    press();
    move(x, y);
    releasePointer(x, y);
    expect([torn, ...look().slice(0, 3)]).toEqual([times, '', '', '']);
    // After the release it follows no pointer.
    move(90);
    expect(stub.style.translate).toBe('');
  });

  test('follows only the first pointer, suppresses its click, and ignores everything after the abort', () => {
    press();
    expect(isTaken()).toBe(false);
    move(50, 0, 2);
    releasePointer(200);
    press();
    move(70);
    fireEvent.pointerCancel(stub);
    move(90);
    expect([stub.style.translate, torn]).toEqual(['', 0]);
    press();
    move(20);
    releasePointer(20);
    // Clicks by keyboard or script, and the next click, pass through.
    expect([isTaken(), isTaken({ detail: 0 }), isTaken({ isTrusted: false })]).toEqual([true, false, false]);
    press();
    expect([isTaken(), fireEvent.dragStart(stub)]).toEqual([false, false]);
    over.abort();
    press();
    move(50);
    releasePointer(80);
    expect([stub.style.translate, torn, isTaken(), fireEvent.dragStart(stub)]).toEqual(['', 0, false, true]);
  });
});
