import { tooOldPhone } from '../texts/access.ts';

/* Polyfills for the oldest supported phones: iOS 15.4, Chrome 100 and Samsung Internet 18 (docs/operations.md). */

if (!('timeout' in AbortSignal))
  Object.defineProperty(AbortSignal, 'timeout', {
    value: (ms: number) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new DOMException('Timed out', 'TimeoutError')), ms);
      return abort.signal;
    },
  });
if (!('toSorted' in Array.prototype))
  // oxlint-disable-next-line no-extend-native -- the page's own code and its libraries' call it
  Object.defineProperty(Array.prototype, 'toSorted', {
    value(this: unknown[], compare?: (a: unknown, b: unknown) => number) {
      // oxlint-disable-next-line unicorn/no-array-sort -- of a copy
      return Array.from(this).sort(compare);
    },
  });

/** Returns true if the browser is older than these, after showing a sentence about it. */
export function isTooOld(): boolean {
  const isOld =
    !('at' in Array.prototype && 'hasOwn' in Object && 'structuredClone' in globalThis) ||
    typeof HTMLDialogElement === 'undefined';
  const place = document.querySelector('form') ?? document.getElementById('root');
  if (isOld && place !== null) {
    place.setAttribute('role', 'alert');
    place.dataset['tooOld'] = '';
    place.textContent = tooOldPhone;
  }
  return isOld;
}
