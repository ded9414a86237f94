import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { experienceTexts } from '../../../texts/experience.ts';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { reportRehearsalSeen } from '../../api/rehearsal.ts';
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
  const seen = useCallback(() => void reportRehearsalSeen(version, isTouched()), [version]);
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
        <MessageWithAction title={texts.strangerTitle} sentence={texts.stranger}>
          <NextLink to={SIGN_IN} name={texts.toSignIn} />
        </MessageWithAction>
      );
    case 'over':
      return (
        <MessageWithAction title={texts.overTitle} sentence={texts.over}>
          <NextLink to={SIGN_IN} name={texts.toSignIn} />
        </MessageWithAction>
      );
    case 'unready':
      return (
        <MessageWithAction title={texts.unreadyTitle} sentence={opening.messaggio}>
          <NextLink to={PREVIEW} name={texts.toPreview} />
        </MessageWithAction>
      );
    case 'failed':
      return (
        <MessageWithAction title={texts.failedTitle} sentence={opening.messaggio}>
          <Button onClick={onRetry}>{texts.retry}</Button>
        </MessageWithAction>
      );
    case 'left':
      return (
        <MessageWithAction title={texts.leftTitle} sentence={texts.left}>
          <Button look="quiet" onClick={onRetry}>
            {texts.again}
          </Button>
        </MessageWithAction>
      );
  }
}

/** Shows a message, and below it the only action. */
function MessageWithAction({
  title,
  sentence,
  children,
}: {
  title: string;
  sentence: string;
  children: ReactNode;
}) {
  return (
    <Message title={title}>
      <p>{sentence}</p>
      <div className={styles.ways}>{children}</div>
    </Message>
  );
}

function NextLink({ to, name }: { to: string; name: string }) {
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
