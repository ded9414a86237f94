import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { keepsakeTexts as texts } from '../../texts/keepsake.ts';
import { usePalette } from '../palette.ts';
import { ActionButton } from '../scenes/action.tsx';
import { Night } from '../scenes/night.tsx';
import { StatusMessage } from '../scenes/sentence.tsx';
import { KeepsakeCodeForm } from './door.tsx';
import { Evening } from './evening.tsx';
import styles from './page.module.css';
import { useKeepsake } from './use-keepsake.ts';

/** `/ricordo`: shows the evening again on the device that finished it, after the code (decision 064). */
export function KeepsakePage() {
  usePalette('night');
  useEffect(() => {
    document.title = texts.name;
  }, []);
  const { shown, show, ask } = useKeepsake();
  // Stored here so that the draft survives when the evening closes.
  const [draft, setDraft] = useState<string>();
  return (
    <Night hour={shown.state === 'open' ? 'journey' : 'night'}>
      {shown.state === 'asking' && <StatusMessage quiet text={texts.opening} />}
      {shown.state === 'gone' && (
        <StatusMessage text={texts.unavailable}>
          <Link to="/" replace className={styles.home}>
            {texts.home}
          </Link>
        </StatusMessage>
      )}
      {shown.state === 'failed' && (
        <StatusMessage text={shown.messaggio}>
          <ActionButton onClick={ask}>{texts.retry}</ActionButton>
        </StatusMessage>
      )}
      {shown.state === 'closed' && <KeepsakeCodeForm onOpen={show} onMissing={ask} />}
      {shown.state === 'open' && (
        <Evening evening={shown.evening} draft={draft} onDraft={setDraft} onRefused={ask} />
      )}
    </Night>
  );
}
