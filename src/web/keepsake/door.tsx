import { type FormEvent, useId, useState } from 'react';
import type { KeepsakeView } from '../../contract/keepsake.ts';
import { keepsakeTexts as texts } from '../../texts/keepsake.ts';
import { ActionButton } from '../scenes/action.tsx';
import { openKeepsake } from './calls.ts';
import styles from './page.module.css';

type Props = {
  onOpen: (evening: KeepsakeView) => void;
  /** The keepsake no longer exists. */
  onMissing: () => void;
};

/** Asks for the visit's code. */
export function KeepsakeCodeForm({ onOpen, onMissing }: Props) {
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
