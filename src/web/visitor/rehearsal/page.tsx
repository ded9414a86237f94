import { useEffect, useState } from 'react';
import { experienceTexts } from '../../../texts/experience.ts';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { usePalette } from '../../palette.ts';
import { Night } from '../../scenes/night.tsx';
import { Sentence } from '../../scenes/sentence.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { primed } from './bar.tsx';
import { Evening } from './evening.tsx';
import styles from './message.module.css';
import { Message } from './message.tsx';
import { type Opening, useOpening } from './use-opening.ts';

const DOOR = '/admin';
const PREVIEW = '/admin/preview';

/** `/prova`: the prova generale (decision 25), for the administrator and for a phone with a pass. */
export function RehearsalPage() {
  usePalette('night');
  useTitle(texts.name);
  const { opening, open, leave } = useOpening();
  const [fast, setFast] = useState(false);
  if (opening.state !== 'open') return <Closed opening={opening} onRetry={open} />;
  const again = () => {
    primed();
    open();
  };
  // The workshop is another document, with rules of its own: it is loaded as one.
  const goBack = () => (opening.as === 'admin' ? location.assign(PREVIEW) : leave());
  return (
    <Evening
      key={opening.run}
      content={opening.snapshot}
      fast={fast}
      onPace={setFast}
      onAgain={again}
      onLeave={goBack}
    />
  );
}

type ClosedProps = { opening: Exclude<Opening, { state: 'open' }>; onRetry: () => void };

function Closed({ opening, onRetry }: ClosedProps) {
  switch (opening.state) {
    case 'opening':
      return (
        <Night>
          <Sentence text={experienceTexts.loading} quiet />
        </Night>
      );
    case 'stranger':
      return (
        <Message title={texts.strangerTitle}>
          <p>{texts.stranger}</p>
          <Way to={DOOR} name={texts.toDoor} />
        </Message>
      );
    case 'over':
      return (
        <Message title={texts.overTitle}>
          <p>{texts.over}</p>
          <Way to={DOOR} name={texts.toDoor} />
        </Message>
      );
    case 'unready':
      return (
        <Message title={texts.unreadyTitle}>
          <p>{opening.messaggio}</p>
          <Way to={PREVIEW} name={texts.toPreview} />
        </Message>
      );
    case 'failed':
      return (
        <Message title={texts.failedTitle}>
          <p>{opening.messaggio}</p>
          <div className={styles.ways}>
            <Button onClick={onRetry}>{texts.retry}</Button>
          </div>
        </Message>
      );
    case 'left':
      return (
        <Message title={texts.leftTitle}>
          <p>{texts.left}</p>
          <div className={styles.ways}>
            <Button look="quiet" onClick={onRetry}>
              {texts.again}
            </Button>
          </div>
        </Message>
      );
  }
}

function Way({ to, name }: { to: string; name: string }) {
  return (
    <div className={styles.ways}>
      <a href={to} className={buttonClass()}>
        {name}
      </a>
    </div>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}
