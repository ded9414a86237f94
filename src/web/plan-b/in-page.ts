import { HEADER } from '../../sealed/layout.ts';
import type { SealedEvening } from './sealed-evening.ts';

/** What the server writes behind the page (features/plan-b/file.ts): the header, then each segment, as base64 that no browser runs. */
const PARTS = 'script[data-sealed]';

/**
 * The sealed evening that lies in this very page. The page is read to its end first. Each segment is taken out of the
 * page when it is asked for, so that what is opened doesn't lie in memory twice; whoever reloads the page has it whole again.
 */
export async function readEmbeddedEvening(): Promise<SealedEvening> {
  await pageRead();
  const [first, ...segments] = document.querySelectorAll(PARTS);
  if (first === undefined) return { whole: false };
  const header = bytesOf(first);
  const count = Number(first.getAttribute('data-sealed'));
  if (header.length !== HEADER || segments.length !== count) return { whole: false };
  const segment = async (place: number) => {
    const part = segments[place];
    if (part === undefined) throw new RangeError('No such segment');
    const bytes = bytesOf(part);
    part.remove();
    segments[place] = document.createElement('script');
    return bytes;
  };
  return { whole: true, header, count, segment };
}

const bytesOf = (part: Element): Uint8Array =>
  Uint8Array.from(atob(part.textContent ?? ''), (sign) => sign.charCodeAt(0));

function pageRead(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
