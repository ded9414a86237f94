/*
 * Init script: removes what in-app browsers on Android commonly don't support. The whole visit must work without it.
 *
 *  - no full screen, media session, share sheet, wake lock, orientation lock, picture in picture, remote playback, service worker
 *  - reading `localStorage` throws
 *  - windows can't be opened, downloads are ignored (recorded in `__ignored`)
 */
(() => {
  const define = (target, name, descriptor) =>
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
  const remove = (target, ...names) => {
    for (const name of names) delete target?.[name];
  };
  const ignored = [];
  window.__ignored = ignored;

  remove(Element.prototype, 'requestFullscreen', 'webkitRequestFullscreen', 'webkitRequestFullScreen');
  remove(
    Document.prototype,
    'exitFullscreen',
    'webkitExitFullscreen',
    'fullscreenElement',
    'webkitFullscreenElement',
  );
  define(Document.prototype, 'fullscreenEnabled', { get: () => false });
  remove(Navigator.prototype, 'mediaSession', 'share', 'canShare', 'wakeLock', 'serviceWorker', 'connection');
  remove(window, 'MediaMetadata', 'MediaSession', 'WakeLock', 'navigation', 'Notification');
  remove(window.ScreenOrientation?.prototype, 'lock', 'unlock');
  remove(HTMLVideoElement.prototype, 'disablePictureInPicture', 'requestPictureInPicture');
  remove(HTMLMediaElement.prototype, 'disableRemotePlayback', 'remote');
  define(window, 'localStorage', {
    get() {
      throw new DOMException('The storage is switched off', 'SecurityError');
    },
  });

  define(window, 'open', {
    value(url) {
      ignored.push(String(url));
      return null;
    },
  });
  const leadsNowhere = (link) => link.hasAttribute('download') || link.target === '_blank';
  // Runs after all listeners of the page.
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || !leadsNowhere(link) || event.defaultPrevented) return;
    event.preventDefault();
    ignored.push(link.href);
  });
  const { click } = HTMLElement.prototype;
  define(HTMLAnchorElement.prototype, 'click', {
    value() {
      if (leadsNowhere(this)) ignored.push(this.href);
      else click.call(this);
    },
  });
})();
