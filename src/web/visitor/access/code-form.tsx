import { type ComponentProps, type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { formatForCard } from '../../../domain/codes.ts';
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

/** Without the countdown's chunk only the server's sentence appears, and the visitor enters by another tap. */
const Countdown = lazy(() =>
  import('./opening/countdown.tsx').then(
    ({ Countdown }) => ({ default: Countdown }),
    () => ({
      default: ({ early }: ComponentProps<typeof CountdownType>) => <p role="alert">{early.messaggio}</p>,
    }),
  ),
);

type Props = {
  /** A visit can be resumed, which is then the main action. */
  isSecondary: boolean;
  /** A code is being checked. */
  working: boolean;
  onWorking: (working: boolean) => void;
  onRefused: () => void;
};

/** The form with the code and its button. */
export function CodeForm({ isSecondary, working, onWorking, onRefused }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { submit, askQuietly } = useEntry(onWorking);
  const isBusy = useLetter().phase !== 'sealed' || working;
  const [slow, waiting] = [useElapsed(SLOW_MS, working), useElapsed(WAITING_MS, working)];
  const [invalid, setInvalid] = useState(false);
  const [early, setEarly] = useState<EarlyEntry | null>(null);
  useEffect(() => sendIfEarly(form.current), []);

  async function submitted(event: FormEvent) {
    event.preventDefault();
    const field = form.current?.querySelector('input');
    if (!field) return;
    // A whole message may have been pasted; the field now shows the code that was recognized.
    field.value = formatForCard(field.value);
    handleResult(await submit(field.value));
  }

  function handleResult(result: EntryResult) {
    if (result === 'entered' || result === 'ignored') return;
    if (typeof result === 'object') return setEarly(result);
    // A lost reply does not end the countdown.
    if (result === 'lost' && early !== null) return;
    setEarly(null);
    setInvalid(true);
    onRefused();
    form.current?.querySelector('input')?.focus();
  }
  // `dialog`: a submit before hydration does nothing and, above all, writes no code into the address.
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
      <Button type="submit" look={isSecondary ? 'quiet' : 'gold'} wide aria-disabled={isBusy}>
        {waiting ? accessTexts.waiting : slow ? accessTexts.submitting : <StillLabel />}
      </Button>
      {early && (
        <Suspense>
          <Countdown
            early={early}
            ask={() => askQuietly(form.current?.querySelector('input')?.value ?? '')}
            onAnswer={handleResult}
          />
        </Suspense>
      )}
    </form>
  );
}

/** Times in ms after which the button shows that the code is being checked, and that it is queued. Before, only the wax shows it. */
const SLOW_MS = 1_500;
const WAITING_MS = 2_000;

/** Returns true after `ms` milliseconds of `working`. */
function useElapsed(ms: number, working: boolean): boolean {
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

/** The label before hydration: style alone shows that the code was sent and waits for the scripts (boot.ts). */
function StillLabel() {
  return (
    <>
      <span className={styles.unsent}>{accessTexts.submit}</span>
      <span className={styles.sent}>{accessTexts.submitting}</span>
    </>
  );
}

/** Runs while the visitor types. Browsers restyle the whole page at its first media element; the tap must not wait for that. */
function prepareWhatComesNext(): void {
  prepareExperience();
  nextTask(mediaHost);
  prepareToasts().catch(() => {});
}

/** Sends the form after hydration if it was sent before (boot.ts). The next tap then does what requires a tap. */
function sendIfEarly(form: HTMLFormElement | null): void {
  const { dataset } = document.documentElement;
  const early = dataset.form === 'early';
  dataset.form = 'alive';
  if (early) form?.requestSubmit();
}
