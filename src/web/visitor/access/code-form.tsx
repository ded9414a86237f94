import { type FormEvent, useEffect, useRef, useState } from 'react';
import { accessTexts } from '../../../texts/access.ts';
import { prepareExperience } from '../../experience-chunk.ts';
import { Button } from '../../ui/button.tsx';
import { prepareToasts } from '../../ui/toaster/toast.ts';
import { CodeField } from './code-field.tsx';
import styles from './page.module.css';
import { useEntry } from './use-entry.ts';

type Props = {
  /** There is something better to press: a visit to take up again. */
  second: boolean;
  onWorking: (working: boolean) => void;
};

/** The code and the one thing to press. */
export function CodeForm({ second, onWorking }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { submit, working } = useEntry();
  const [invalid, setInvalid] = useState(false);
  useEffect(() => sendIfEarly(form.current), []);

  async function submitted(event: FormEvent) {
    event.preventDefault();
    const field = form.current?.querySelector('input');
    if (!field) return;
    const result = submit(field.value);
    onWorking(true);
    const refused = (await result) === 'refused';
    onWorking(false);
    setInvalid(refused);
    if (refused) field.focus();
  }
  // `dialog`: a submit before the scripts are there does nothing, and above all writes no code into the address.
  return (
    <form ref={form} method="dialog" className={styles.form} onSubmit={(event) => void submitted(event)}>
      <CodeField invalid={invalid} onEdit={() => setInvalid(false)} onFocus={prepareWhatComesNext} />
      <Button type="submit" look={second ? 'quiet' : 'gold'} wide aria-disabled={working}>
        {working ? accessTexts.submitting : <StillLabel />}
      </Button>
    </form>
  );
}

/** Painted without scripts, the button tells by style alone that the code was sent and waits for them (boot.ts). */
function StillLabel() {
  return (
    <>
      <span className={styles.unsent}>{accessTexts.submit}</span>
      <span className={styles.sent}>{accessTexts.submitting}</span>
    </>
  );
}

function prepareWhatComesNext(): void {
  prepareExperience();
  prepareToasts().catch(() => {});
}

/**
 * The form has come alive: sends it if it was sent before its scripts were there (boot.ts). What only a tap may do is then
 * done by the next tap.
 */
function sendIfEarly(form: HTMLFormElement | null): void {
  const { dataset } = document.documentElement;
  const early = dataset.form === 'early';
  dataset.form = 'alive';
  if (early) form?.requestSubmit();
}
