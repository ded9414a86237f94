/** What a hand does to the boarding pass. Nothing of it is needed to read or to press: it is a chunk of its own. */

/** From here on a touch is a pull, and from here on the stub comes off when it is let go; in pixels. */
const PULLS = 8;
const TEARS = 64;
/** How far the stub gives way to the hand, as a share, and how far it turns before it comes off, in degrees. */
const GIVES = 0.4;
const TURNS = 5;

/**
 * Lets a stub be pulled off, sideways by a finger and any way by a pointer; a finger that goes up or down scrolls. A click that the browser makes of
 * the same pull doesn't count, so that nothing is pressed twice.
 * @param onTear it was let go far enough away
 */
export function enablePull(stub: HTMLElement, signal: AbortSignal, onTear: () => void): void {
  const { style } = stub;
  let from: PointerEvent | null = null;
  let pulled = false;

  const wayOf = (event: PointerEvent) => ({
    x: event.clientX - (from ?? event).clientX,
    y: event.clientY - (from ?? event).clientY,
  });
  const letGo = () => {
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
      const { x, y } = wayOf(event);
      const far = Math.hypot(x, y);
      if (from?.pointerId !== event.pointerId || (far < PULLS && !pulled)) return;
      if (!pulled) stub.setPointerCapture(event.pointerId);
      pulled = true;
      style.transition = 'none';
      style.transformOrigin = x > 0 ? '0 0' : '100% 0';
      style.translate = `${x * GIVES}px ${y * GIVES}px`;
      style.rotate = `${Math.sign(x) * Math.min(1, far / TEARS) * TURNS}deg`;
    },
    { signal },
  );
  stub.addEventListener(
    'pointerup',
    (event) => {
      const { x, y } = wayOf(event);
      const off = pulled && Math.hypot(x, y) >= TEARS;
      letGo();
      if (off) onTear();
    },
    { signal },
  );
  stub.addEventListener('pointercancel', letGo, { signal });
  stub.addEventListener(
    'click',
    (event) => {
      // A script's own click and a key's are meant.
      if (!pulled || !event.isTrusted || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
  stub.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
}

/** So far a phone is tilted, in degrees, for the sheen to go to the edge. */
const TILTED = 24;
/** How far the sheen goes, in percent of its own width. */
const REACH = 24;

/**
 * Moves a sheen with the pointer, and with the phone's tilt where that is told without being asked for. It stands still where motion isn't wanted.
 */
export function enableSheen(sheen: HTMLElement, signal: AbortSignal): void {
  const page = sheen.ownerDocument.defaultView;
  if (page === null || page.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  /** @param at from -1 to 1 */
  const move = (at: number) => {
    sheen.style.translate = `${Math.max(-1, Math.min(1, at)) * REACH}%`;
    // In its middle it would look like a stain.
    sheen.style.opacity = `${Math.min(1, Math.abs(at) * 2)}`;
  };
  page.addEventListener('pointermove', ({ clientX }) => move((clientX / page.innerWidth) * 2 - 1), {
    signal,
  });
  if (tellsTilt()) {
    let level: number | null = null;
    page.addEventListener(
      'deviceorientation',
      ({ gamma }) => {
        if (gamma === null) return;
        // As it was held when the pass came.
        level ??= gamma;
        move((gamma - level) / TILTED);
      },
      { signal },
    );
  }
}

/** An iPhone would ask her first. */
const tellsTilt = () =>
  typeof DeviceOrientationEvent === 'function' && !('requestPermission' in DeviceOrientationEvent);
