/** Touch and tilt effects of the boarding pass. Optional, therefore a separate chunk. */

/** Distance in px from which a touch is a pull, and from which releasing it tears the stub off. */
const PULL_PX = 8;
const TEAR_PX = 64;
/** Share of the pull that the stub follows, and its rotation in degrees just before it tears. */
const FOLLOW_SHARE = 0.4;
const TURN_DEG = 5;

/**
 * Lets the user pull a stub off: horizontally by touch, in any direction by pointer. Vertical touches scroll. Ignores the click that the
 * browser derives from a pull, so that no button is pressed.
 * @param onTear called when the stub is released far enough away
 */
export function enablePull(stub: HTMLElement, signal: AbortSignal, onTear: () => void): void {
  const { style } = stub;
  let from: PointerEvent | null = null;
  let pulled = false;

  const distanceFrom = (event: PointerEvent) => ({
    x: event.clientX - (from ?? event).clientX,
    y: event.clientY - (from ?? event).clientY,
  });
  const release = () => {
    from = null;
    style.translate = style.rotate = style.transition = '';
  };
  stub.addEventListener(
    'pointerdown',
    (event) => {
      pulled = false;
      if (event.button === 0) from = event;
    },
    { signal },
  );
  stub.addEventListener(
    'pointermove',
    (event) => {
      const { x, y } = distanceFrom(event);
      const far = Math.hypot(x, y);
      if (from?.pointerId !== event.pointerId || (far < PULL_PX && !pulled)) return;
      if (!pulled) stub.setPointerCapture(event.pointerId);
      pulled = true;
      style.transition = 'none';
      style.transformOrigin = x > 0 ? '0 0' : '100% 0';
      style.translate = `${x * FOLLOW_SHARE}px ${y * FOLLOW_SHARE}px`;
      style.rotate = `${Math.sign(x) * Math.min(1, far / TEAR_PX) * TURN_DEG}deg`;
    },
    { signal },
  );
  stub.addEventListener(
    'pointerup',
    (event) => {
      const { x, y } = distanceFrom(event);
      const off = pulled && Math.hypot(x, y) >= TEAR_PX;
      release();
      if (off) onTear();
    },
    { signal },
  );
  stub.addEventListener('pointercancel', release, { signal });
  stub.addEventListener(
    'click',
    (event) => {
      // Clicks by script or keyboard are always intended.
      if (!pulled || !event.isTrusted || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
  stub.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
}

/** Tilt in degrees that moves the sheen to the edge. */
const TILT_DEG = 24;
/** Range of the sheen, in percent of its width. */
const REACH_PERCENT = 24;

/**
 * Moves a sheen with the pointer, and with the phone's tilt if the browser reports it without a permission prompt. Does nothing with
 * reduced motion.
 */
export function enableSheen(sheen: HTMLElement, signal: AbortSignal): void {
  const page = sheen.ownerDocument.defaultView;
  if (page === null || page.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  /** @param at position from -1 to 1 */
  const move = (at: number) => {
    sheen.style.translate = `${Math.max(-1, Math.min(1, at)) * REACH_PERCENT}%`;
    // A sheen in the middle would look like a stain.
    sheen.style.opacity = `${Math.min(1, Math.abs(at) * 2)}`;
  };
  page.addEventListener('pointermove', ({ clientX }) => move((clientX / page.innerWidth) * 2 - 1), {
    signal,
  });
  if (reportsTilt()) {
    let level: number | null = null;
    page.addEventListener(
      'deviceorientation',
      ({ gamma }) => {
        if (gamma === null) return;
        // Tilt is relative to the phone's position when the pass appeared.
        level ??= gamma;
        move((gamma - level) / TILT_DEG);
      },
      { signal },
    );
  }
}

/** iPhones would show a permission prompt. */
const reportsTilt = () =>
  typeof DeviceOrientationEvent === 'function' && !('requestPermission' in DeviceOrientationEvent);
