import { type FormEvent, useId, useState } from 'react';
import { MAX_LENGTH } from '../../domain/limits.ts';
import { keepsakeTexts } from '../../texts/keepsake.ts';
import { isRefused } from '../api/failure.ts';
import { ActionButton } from '../scenes/action.tsx';
import { writeBack } from './calls.ts';
import styles from './page.module.css';

const texts = keepsakeTexts.reply;

type Props = {
  until: string;
  /** The stored reply. */
  storedReply: string | null;
  /** The current draft; undefined before the first edit. */
  draft: string | undefined;
  onDraft: (text: string) => void;
  onRefused: () => void;
};

/** Lets the visitor write to the person who prepared the evening. The text can be changed while the keepsake exists. */
export function WriteBack({ until, storedReply, draft = storedReply ?? '', onDraft, onRefused }: Props) {
  const id = useId();
  const [stored, setStored] = useState(storedReply);
  const [working, setWorking] = useState(false);
  const [status, setStatus] = useState(storedReply === null ? '' : texts.sent(until));
  const isStored = draft.trim() === (stored ?? '');
  async function submitted(event: FormEvent) {
    event.preventDefault();
    if (working || isStored) return;
    setWorking(true);
    const answer = await writeBack(draft);
    setWorking(false);
    if (answer.ok) {
      const { reply } = answer.value;
      setStored(reply);
      setStatus(reply === null ? texts.deleted : texts.sent(until));
      return;
    }
    setStatus(answer.failure.messaggio);
    if (isRefused(answer.failure)) onRefused();
  }
  return (
    <form method="dialog" className={styles.reply} onSubmit={(event) => void submitted(event)}>
      <h2 className={styles.destination}>{texts.title}</h2>
      <label htmlFor={id}>{texts.label}</label>
      <textarea
        dir="auto"
        id={id}
        rows={5}
        maxLength={MAX_LENGTH.reply}
        value={draft}
        onChange={(event) => onDraft(event.currentTarget.value)}
      />
      <p role="status" className={styles.small}>
        {status}
      </p>
      <ActionButton type="submit" aria-disabled={working || isStored}>
        {working ? texts.sending : stored === null ? texts.send : texts.change}
      </ActionButton>
    </form>
  );
}
