import { type ComponentProps, type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { asOnCard } from '../../../domain/codes.ts';
import { accessTexts } from '../../../texts/access.ts';
import { prepareExperience } from '../../experience-chunk.ts';
import { Button } from '../../ui/button.tsx';
import { prepareToasts } from '../../ui/toaster/toast.ts';
import { nextTask } from '../../ui/waiting.ts';
import { useLetter } from '../letter.ts';
import { mediaHost } from '../media-host.ts';
import { CodeField } from './code-field.tsx';
import type { Countdown as CountdownType } from './opening/countdown.tsx';
import styles from './page.module.css';
import { type EarlyEntry, type EntryResult, useEntry } from './use-entry.ts';

/** Where it can't be fetched, the server's sentence is what is left: then it opens by a tap. */
const Countdown = lazy(() =>
  import('./opening/countdown.tsx').then(
    ({ Countdown }) => ({ default: Countdown }),
    () => ({
      default: ({ early }: ComponentProps<typeof CountdownType>) => <p role="alert">{early.messaggio}</p>,
    }),
  ),
);

type Props = {
  /** There is something better to press: a visit to take up again. */
  second: boolean;
  /** A code is being asked about. */
  working: boolean;
  onWorking: (working: boolean) => void;
  onRefused: () => void;
};

/** The code and the one thing to press. */
export function CodeForm({ second, working, onWorking, onRefused }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { submit, askQuietly } = useEntry(onWorking);
  const sent = useLetter().phase !== 'sealed' || working;
  const [slow, waiting] = [usePassed(SLOW_MS, working), usePassed(WAITING_MS, working)];
  const [invalid, setInvalid] = useState(false);
  const [early, setEarly] = useState<EarlyEntry | null>(null);
  useEffect(() => sendIfEarly(form.current), []);

  async function submitted(event: FormEvent) {
    event.preventDefault();
    const field = form.current?.querySelector('input');
    if (!field) return;
    // A whole message may have been pasted: from here on the field shows what was understood.
    field.value = asOnCard(field.value);
    answered(await submit(field.value));
  }

  function answered(result: EntryResult) {
    if (result === 'entered' || result === 'ignored') return;
    if (typeof result === 'object') return setEarly(result);
    // What is waited for goes on being waited for while the network is gone.
    if (result === 'lost' && early !== null) return;
    setEarly(null);
    setInvalid(true);
    onRefused();
    form.current?.querySelector('input')?.focus();
  }
  // `dialog`: a submit before the scripts are there does nothing, and above all writes no code into the address.
  return (
    <form ref={form} method="dialog" className={styles.form} onSubmit={(event) => void submitted(event)}>
      <CodeField
        invalid={invalid}
        onEdit={() => {
          setInvalid(false);
          setEarly(null);
        }}
        onFocus={prepareWhatComesNext}
      />
      <Button type="submit" look={second ? 'quiet' : 'gold'} wide aria-disabled={sent}>
        {waiting ? accessTexts.waiting : slow ? accessTexts.submitting : <StillLabel />}
      </Button>
      {early && (
        <Suspense>
          <Countdown
            early={early}
            ask={() => askQuietly(form.current?.querySelector('input')?.value ?? '')}
            onAnswer={answered}
          />
        </Suspense>
      )}
    </form>
  );
}

/** Until then the wax alone tells that a code is being checked; a code that takes longer than the second is in a queue. Milliseconds. */
const SLOW_MS = 1_500;
const WAITING_MS = 2_000;

/** Returns true after so many milliseconds of `working`. */
function usePassed(ms: number, working: boolean): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!working) return;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [ms, working]);
  return passed;
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

/** While she types: a browser styles the whole page anew at its first media element, which the tap needn't wait for. */
function prepareWhatComesNext(): void {
  prepareExperience();
  nextTask(mediaHost);
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
