import { useEffect, useState } from 'react';
import { planBTexts as texts } from '../../texts/plan-b.ts';
import { usePalette } from '../palette.ts';
import { useLetter } from '../visitor/letter.ts';
import { Message } from '../visitor/message.tsx';
import { Door } from './door.tsx';
import { Evening } from './evening.tsx';
import { eveningInPage } from './in-page.ts';
import { PAGE } from './kept/store.ts';
import { useKept } from './kept/use-kept.ts';
import type { OpenEvening, SealedEvening } from './sealed-evening.ts';

/** The evening without the site, in a file or kept on this phone. */
export function PlanB() {
  const isKept = /^https?:$/.test(location.protocol) && location.pathname === PAGE;
  return isKept ? <KeptPlanB /> : <FilePlanB />;
}

function FilePlanB() {
  return <Letter sealed={useSealed()} siteKey={null} />;
}

/** What has to be said comes in the letter's place, never over an evening. */
function KeptPlanB() {
  const { evening, said } = useKept();
  const [isOpen, setIsOpen] = useState(false);
  usePalette('theme');
  if (evening !== null && (said === null || isOpen))
    return <Letter sealed={evening.sealed} siteKey={evening.key} onOpen={() => setIsOpen(true)} />;
  return (
    said !== null && (
      <Message key={said.hint} title={said.title}>
        <p>{said.hint}</p>
      </Message>
    )
  );
}

type LetterProps = { sealed: SealedEvening | undefined; siteKey: string | null; onOpen?: () => void };

/** The letter, and once it is opened the evening behind it. @param siteKey where her answers may be sent to the site */
function Letter({ sealed, siteKey, onOpen }: LetterProps) {
  const { phase } = useLetter();
  const [opened, setOpened] = useState<OpenEvening | null>(null);
  const open = (evening: OpenEvening) => {
    setOpened(evening);
    onOpen?.();
  };
  return (
    <>
      {(opened === null || phase !== 'sealed') && (
        <Door sealed={sealed} footer={siteKey === null ? texts.footer : texts.keptFooter} onOpen={open} />
      )}
      {/* What can't be seen can't be pressed. */}
      <div inert={phase === 'opening'}>
        {opened !== null && <Evening opened={opened} siteKey={siteKey} onAgain={() => location.reload()} />}
      </div>
    </>
  );
}

/** Undefined until the page is read. */
function useSealed(): SealedEvening | undefined {
  const [sealed, setSealed] = useState<SealedEvening>();
  useEffect(() => {
    let wanted = true;
    void eveningInPage().then((found) => {
      if (wanted) setSealed(found ?? { whole: false });
    });
    return () => {
      wanted = false;
    };
  }, []);
  return sealed;
}
