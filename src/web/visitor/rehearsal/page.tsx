import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { experienceTexts } from '../../../texts/experience.ts';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { tellRehearsalSeen } from '../../api/rehearsal.ts';
import { usePalette } from '../../palette.ts';
import { Night } from '../../scenes/night.tsx';
import { StatusMessage } from '../../scenes/sentence.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import styles from '../message.module.css';
import { Message } from '../message.tsx';
import { primeAudio } from './bar.tsx';
import { Evening } from './evening.tsx';
import { type RehearsalState, useRehearsal } from './use-opening.ts';

const SIGN_IN = '/admin';
const PREVIEW = '/admin/preview';

/** `/prova`: the rehearsal (prova generale, decision 014), for the administrator and for a phone with a pass. */
export function RehearsalPage() {
  usePalette('night');
  useTitle(texts.name);
  const { opening, open, leave } = useRehearsal();
  const [fast, setFast] = useState(false);
  const version = opening.state === 'open' ? opening.version : '';
  const seen = useCallback(() => void tellRehearsalSeen(version, isTouched()), [version]);
  if (opening.state !== 'open') return <Closed opening={opening} onRetry={open} />;
  const again = () => {
    primeAudio();
    open();
  };
  // The administration is a separate document with its own policy, so it is loaded as one.
  const goBack = () => (opening.as === 'admin' ? location.assign(PREVIEW) : leave());
  return (
    <Evening
      key={opening.run}
      content={opening.snapshot}
      onSeen={seen}
      fast={fast}
      onPace={setFast}
      onAgain={again}
      onLeave={goBack}
    />
  );
}

/** Returns true if the device is used by touch; it then counts as a phone. */
const isTouched = () => matchMedia('(pointer: coarse)').matches;

type ClosedProps = { opening: Exclude<RehearsalState, { state: 'open' }>; onRetry: () => void };

function Closed({ opening, onRetry }: ClosedProps) {
  switch (opening.state) {
    case 'opening':
      return (
        <Night>
          <StatusMessage text={experienceTexts.loading} quiet />
        </Night>
      );
    case 'stranger':
      return (
        <Told title={texts.strangerTitle} sentence={texts.stranger}>
          <Way to={SIGN_IN} name={texts.toSignIn} />
        </Told>
      );
    case 'over':
      return (
        <Told title={texts.overTitle} sentence={texts.over}>
          <Way to={SIGN_IN} name={texts.toSignIn} />
        </Told>
      );
    case 'unready':
      return (
        <Told title={texts.unreadyTitle} sentence={opening.messaggio}>
          <Way to={PREVIEW} name={texts.toPreview} />
        </Told>
      );
    case 'failed':
      return (
        <Told title={texts.failedTitle} sentence={opening.messaggio}>
          <Button onClick={onRetry}>{texts.retry}</Button>
        </Told>
      );
    case 'left':
      return (
        <Told title={texts.leftTitle} sentence={texts.left}>
          <Button look="quiet" onClick={onRetry}>
            {texts.again}
          </Button>
        </Told>
      );
  }
}

/** Shows a message, and below it the only action. */
function Told({ title, sentence, children }: { title: string; sentence: string; children: ReactNode }) {
  return (
    <Message title={title}>
      <p>{sentence}</p>
      <div className={styles.ways}>{children}</div>
    </Message>
  );
}

function Way({ to, name }: { to: string; name: string }) {
  return (
    <a href={to} className={buttonClass()}>
      {name}
    </a>
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
