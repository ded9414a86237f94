import { type FormEvent, useCallback, useEffect, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { KeepsakeView } from '../../contract/visit.ts';
import { HEARTBEAT_MS } from '../../domain/limits.ts';
import { keepsakeTexts as texts } from '../../texts/keepsake.ts';
import { isRefused } from '../api/failure.ts';
import { usePalette } from '../palette.ts';
import { ActionButton } from '../scenes/action.tsx';
import { Night } from '../scenes/night.tsx';
import { StatusMessage } from '../scenes/sentence.tsx';
import { openKeepsake, readKeepsake } from './calls.ts';
import { Evening } from './evening.tsx';
import styles from './page.module.css';

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

type KeepsakeState =
  | { state: 'asking' }
  /** No keepsake for this device, or no longer. */
  | { state: 'gone' }
  | { state: 'failed'; messaggio: string }
  /** Waiting for the code. */
  | { state: 'closed' }
  | { state: 'open'; evening: KeepsakeView };

/**
 * Returns the keepsake's state. The evening is held in memory only and dropped when the page is left or the server refuses. Checks every
 * 30 s and whenever the page becomes visible.
 */
function useKeepsake(): {
  shown: KeepsakeState;
  show: (evening: KeepsakeView) => void;
  ask: () => void;
} {
  const [shown, setShown] = useState<KeepsakeState>({ state: 'asking' });
  const ask = useCallback(async () => {
    const result = await readKeepsake();
    setShown((before) => nextState(before, result));
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    const check = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    const leave = () => flushSync(() => setShown({ state: 'asking' }));
    void ask();
    const timer = setInterval(check, HEARTBEAT_MS);
    document.addEventListener('visibilitychange', check, stop);
    window.addEventListener('pagehide', leave, stop);
    window.addEventListener('pageshow', (event) => event.persisted && void ask(), stop);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [ask]);
  return { shown, show: (evening) => setShown({ state: 'open', evening }), ask: () => void ask() };
}

function nextState(before: KeepsakeState, result: Awaited<ReturnType<typeof readKeepsake>>): KeepsakeState {
  if (result.ok) return before.state === 'open' && result.value.open ? before : { state: 'closed' };
  if (isRefused(result.failure)) return { state: 'gone' };
  // Keeps an open evening while the server doesn't answer: the network may be down.
  return before.state === 'open' || before.state === 'closed'
    ? before
    : { state: 'failed', messaggio: result.failure.messaggio };
}

type Props = {
  onOpen: (evening: KeepsakeView) => void;
  /** The keepsake no longer exists. */
  onMissing: () => void;
};

/** Asks for the visit's code. */
function KeepsakeCodeForm({ onOpen, onMissing }: Props) {
  const id = useId();
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.querySelector('input');
    if (field === null || working) return;
    setWorking(true);
    setRefusal('');
    const reply = await openKeepsake(field.value);
    setWorking(false);
    if (reply.ok) return onOpen(reply.value);
    if (reply.failure.codice === 'NO_KEEPSAKE') return onMissing();
    setRefusal(reply.failure.messaggio);
    field.focus();
  }
  return (
    <div className={styles.door}>
      <h1 className={styles.title}>{texts.ask}</h1>
      <form method="dialog" className={styles.form} onSubmit={(event) => void submitted(event)}>
        <label className={styles.small} htmlFor={id}>
          {texts.prompt}
        </label>
        <input
          id={id}
          className={styles.code}
          autoCapitalize="characters"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          aria-invalid={refusal !== ''}
        />
        <p role="alert" className={styles.refusal}>
          {refusal}
        </p>
        <ActionButton type="submit" aria-disabled={working}>
          {working ? texts.submitting : texts.submit}
        </ActionButton>
      </form>
    </div>
  );
}
