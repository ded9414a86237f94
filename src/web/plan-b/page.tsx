import { useEffect, useState } from 'react';
import { HEADER_BYTES } from '../../sealed/layout.ts';
import { useLetter } from '../visitor/letter.ts';
import { PlanBCodeForm } from './door.tsx';
import { Evening } from './evening.tsx';
import type { OpenEvening, SealedEvening } from './sealed-evening.ts';

/** Shows the letter and, once it is open, the evening, without the site. */
export function PlanB() {
  const sealed = useSealed();
  const { phase } = useLetter();
  const [opened, setOpened] = useState<OpenEvening | null>(null);
  return (
    <>
      {(opened === null || phase !== 'sealed') && <PlanBCodeForm sealed={sealed} onOpen={setOpened} />}
      {/* Content behind the letter is not interactive. */}
      <div inert={phase === 'opening'}>
        {opened !== null && <Evening opened={opened} onAgain={() => location.reload()} />}
      </div>
    </>
  );
}

/** Returns the sealed evening; undefined until the page is parsed. */
function useSealed(): SealedEvening | undefined {
  const [sealed, setSealed] = useState<SealedEvening>();
  useEffect(() => {
    let isMounted = true;
    void readEmbeddedEvening().then((found) => {
      if (isMounted) setSealed(found);
    });
    return () => {
      isMounted = false;
    };
  }, []);
  return sealed;
}

/** Selects the header and the segments: base64 in inert script tags, appended by the server (features/plan-b/plan-b.ts). */
const PARTS = 'script[data-sealed]';

/**
 * Reads the sealed evening from this page, once the page is parsed completely. Each segment is removed from the page when read, to save
 * memory; reloading the page restores all of them.
 */
async function readEmbeddedEvening(): Promise<SealedEvening> {
  await pageParsed();
  const [first, ...segments] = document.querySelectorAll(PARTS);
  if (first === undefined) return { whole: false };
  const header = bytesOf(first);
  const count = Number(first.getAttribute('data-sealed'));
  if (header.length !== HEADER_BYTES || segments.length !== count) return { whole: false };
  const segment = async (index: number) => {
    const part = segments[index];
    if (part === undefined) throw new RangeError('No such segment');
    const bytes = bytesOf(part);
    part.remove();
    segments[index] = document.createElement('script');
    return bytes;
  };
  return { whole: true, header, count, segment };
}

const bytesOf = (part: Element): Uint8Array =>
  Uint8Array.from(atob(part.textContent ?? ''), (sign) => sign.charCodeAt(0));

function pageParsed(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
