import { useEffect, useState } from 'react';
import { useLetter } from '../visitor/letter.ts';
import { PlanBCodeForm } from './door.tsx';
import { Evening } from './evening.tsx';
import { readEmbeddedEvening } from './in-page.ts';
import type { OpenEvening, SealedEvening } from './sealed-evening.ts';

/** The evening without the site: the letter, and once it is opened the evening behind it. */
export function PlanB() {
  const sealed = useSealed();
  const { phase } = useLetter();
  const [opened, setOpened] = useState<OpenEvening | null>(null);
  return (
    <>
      {(opened === null || phase !== 'sealed') && <PlanBCodeForm sealed={sealed} onOpen={setOpened} />}
      {/* What can't be seen can't be pressed. */}
      <div inert={phase === 'opening'}>
        {opened !== null && <Evening opened={opened} onAgain={() => location.reload()} />}
      </div>
    </>
  );
}

/** Undefined until the page is read. */
function useSealed(): SealedEvening | undefined {
  const [sealed, setSealed] = useState<SealedEvening>();
  useEffect(() => {
    let wanted = true;
    void readEmbeddedEvening().then((found) => {
      if (wanted) setSealed(found);
    });
    return () => {
      wanted = false;
    };
  }, []);
  return sealed;
}
