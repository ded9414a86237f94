import { useEffect, useState } from 'react';
import { useLetter } from '../visitor/letter.ts';
import { PlanBCodeForm } from './door.tsx';
import { Evening } from './evening.tsx';
import { readEmbeddedEvening } from './in-page.ts';
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
