/*
 * Init script: gives Chromium the APIs of an iPhone that the product's decisions depend on. It doesn't simulate bugs.
 *
 *  - no full screen for elements; a native player for <video> only, which pauses when closed (recorded in `__nativeFullScreen`)
 *  - `volume` can be set and reads back, but is 1 again in a later task
 *  - an element may play sound only after play() or load() inside a gesture; `__lowPower = true` requires it for silent films too
 *  - the first wake lock must be requested inside a gesture
 *  - iOS 15.4: no API that browsers got later
 *  - a share sheet (recorded in `__shared`), an audio session; no orientation lock, no Navigation API, no data saver
 */
(() => {
  const define = (target, name, descriptor) =>
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
  const remove = (target, ...names) => {
    for (const name of names) delete target[name];
  };
  const inGesture = () => navigator.userActivation.isActive;
  const refusal = (name, message) => new DOMException(message, name);
  const soon = (element, type) => setTimeout(() => element.dispatchEvent(new Event(type)));

  noElementFullScreen();
  nativePlayer();
  volumeWithoutEffect();
  permissionByElement();
  firstWakeLockInGesture();
  smallThings();
  nothingLater();

  function nothingLater() {
    remove(AbortSignal, 'timeout', 'any');
    remove(Array.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with');
    remove(Array, 'fromAsync');
    remove(Object, 'groupBy');
    remove(Promise, 'withResolvers', 'try');
    remove(URL, 'canParse', 'parse');
    remove(Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf');
    remove(window, 'Iterator', 'requestIdleCallback', 'cookieStore', 'scheduler');
  }

  function noElementFullScreen() {
    remove(Element.prototype, 'requestFullscreen', 'webkitRequestFullscreen', 'webkitRequestFullScreen');
    remove(Document.prototype, 'exitFullscreen', 'webkitExitFullscreen', 'webkitCancelFullScreen');
    for (const name of ['fullscreenEnabled', 'webkitFullscreenEnabled'])
      define(Document.prototype, name, { get: () => false });
    for (const name of ['fullscreenElement', 'webkitFullscreenElement']) {
      define(Document.prototype, name, { get: () => undefined });
    }
  }

  function nativePlayer() {
    const showing = new WeakSet();
    const record = [];
    window.__nativeFullScreen = record;
    define(HTMLVideoElement.prototype, 'webkitDisplayingFullscreen', {
      get() {
        return showing.has(this);
      },
    });
    define(HTMLVideoElement.prototype, 'webkitSupportsFullscreen', {
      get() {
        return this.readyState >= HTMLMediaElement.HAVE_METADATA;
      },
    });
    define(HTMLVideoElement.prototype, 'webkitEnterFullscreen', {
      value() {
        if (!this.webkitSupportsFullscreen || !inGesture()) throw refusal('InvalidStateError', 'not now');
        showing.add(this);
        record.push('entered');
        soon(this, 'webkitbeginfullscreen');
      },
    });
    define(HTMLVideoElement.prototype, 'webkitExitFullscreen', {
      value() {
        if (!showing.delete(this)) return;
        record.push('left');
        this.pause();
        soon(this, 'webkitendfullscreen');
      },
    });
  }

  function volumeWithoutEffect() {
    const native = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'volume');
    const claimed = new WeakMap();
    define(HTMLMediaElement.prototype, 'volume', {
      get() {
        return claimed.get(this) ?? 1;
      },
      set(value) {
        // The native setter is only called to throw its error for values out of range.
        if (!(value >= 0 && value <= 1)) native.set.call(this, value);
        claimed.set(this, value);
        setTimeout(() => claimed.delete(this));
      },
    });
  }

  function permissionByElement() {
    const allowed = new WeakSet();
    const { play, load } = HTMLMediaElement.prototype;
    const noteGesture = (element) => {
      if (inGesture()) allowed.add(element);
    };
    define(HTMLMediaElement.prototype, 'load', {
      value() {
        noteGesture(this);
        return load.call(this);
      },
    });
    define(HTMLMediaElement.prototype, 'play', {
      value() {
        noteGesture(this);
        const silent = this.muted && !(window.__lowPower && this instanceof HTMLVideoElement);
        if (allowed.has(this) || silent) return play.call(this);
        return Promise.reject(refusal('NotAllowedError', 'a gesture is needed'));
      },
    });
  }

  function firstWakeLockInGesture() {
    if (typeof WakeLock === 'undefined') return;
    const { request } = WakeLock.prototype;
    let asked = false;
    define(WakeLock.prototype, 'request', {
      value(type) {
        asked ||= inGesture();
        return asked
          ? request.call(this, type)
          : Promise.reject(refusal('NotAllowedError', 'a gesture is needed'));
      },
    });
  }

  function smallThings() {
    const audioSession = { type: 'auto' };
    define(Navigator.prototype, 'audioSession', { get: () => audioSession });
    window.__shared = [];
    define(Navigator.prototype, 'canShare', { value: () => true });
    define(Navigator.prototype, 'share', {
      value(data) {
        if (!inGesture()) return Promise.reject(refusal('NotAllowedError', 'a gesture is needed'));
        window.__shared.push((data.files ?? []).map((file) => file.name));
        return Promise.resolve();
      },
    });
    remove(Navigator.prototype, 'connection', 'vibrate', 'userAgentData');
    if (typeof ScreenOrientation !== 'undefined') remove(ScreenOrientation.prototype, 'lock', 'unlock');
    remove(window, 'navigation');
  }
})();
