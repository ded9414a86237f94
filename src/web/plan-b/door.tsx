import { type FormEvent, useEffect, useRef, useState } from 'react';
import { isTooEarly } from '../../domain/access.ts';
import { intendedCode } from '../../domain/codes.ts';
import { accessTexts } from '../../texts/access.ts';
import { planBTexts as texts } from '../../texts/keepsake.ts';
import { dayAndHour, tooEarly } from '../../texts/opening-time.ts';
import { usePalette } from '../palette.ts';
import { Button } from '../ui/button.tsx';
import { sleep } from '../ui/waiting.ts';
import { CodeField } from '../visitor/access/code-field.tsx';
import { prepareEntry } from '../visitor/access/enter-tap.ts';
import { FloatingIcons } from '../visitor/access/floating-icons.tsx';
import styles from '../visitor/access/page.module.css';
import { Seal } from '../visitor/access/seal.tsx';
import { openLetter } from '../visitor/experience/opening.ts';
import { toLetterProps, useLetter } from '../visitor/letter.ts';
import own from './plan-b.module.css';
import { type OpenEvening, open, type SealedEvening, tryCode } from './sealed-evening.ts';

type Props = { sealed: SealedEvening | undefined; onOpen: (evening: OpenEvening) => void };

/** The letter's code form, as on the site; the code itself decrypts the evening. */
export function PlanBCodeForm({ sealed, onOpen }: Props) {
  usePalette('theme');
  const look = toLetterProps(useLetter());
  const { submit, working, said: errorText, refusals, edited } = useCode(sealed, onOpen);
  return (
    <div className={styles.page} {...look}>
      <FloatingIcons />
      <main className={styles.main}>
        <div className={styles.card}>
          <Seal warm={working} refusals={refusals} />
          <div className={styles.content}>
            <h1 className={styles.title}>{accessTexts.title}</h1>
            <form method="dialog" className={styles.form} onSubmit={(event) => void submit(event)}>
              <CodeField
                invalid={refusals > 0 && errorText !== null}
                onEdit={edited}
                onFocus={() => undefined}
              />
              <Button type="submit" wide aria-disabled={working}>
                {working ? accessTexts.submitting : accessTexts.submit}
              </Button>
              <p role="alert" className={own.said}>
                {errorText ?? (sealed?.whole === false ? texts.notWhole : '')}
              </p>
            </form>
          </div>
        </div>
      </main>
      <footer className={styles.footer}>{texts.footer}</footer>
    </div>
  );
}

type CompleteEvening = Extract<SealedEvening, { whole: true }>;

/** Time to paint «Verifica in corso…», in ms. */
const PAINTED_MS = 50;

function useCode(sealed: SealedEvening | undefined, onOpen: Props['onOpen']) {
  const [working, setWorking] = useState(false);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);
  const latest = useRef(sealed);
  /** Evening opened before its opening time: its segments can be read from the page only once. */
  const openedEarly = useRef<OpenEvening>(undefined);
  useEffect(() => {
    latest.current = sealed;
    openedEarly.current = undefined;
  }, [sealed]);

  const refuse = (sentence: string) => {
    setErrorText(sentence);
    setRefusals((count) => count + 1);
  };
  /** Returns the evening, or the sentence that explains the refusal. */
  async function openWithCode(evening: CompleteEvening, code: string): Promise<OpenEvening | string> {
    if (!('WebAssembly' in globalThis)) return texts.noEngine;
    // Lets the page show its progress before the key derivation blocks the main thread.
    await sleep(PAINTED_MS);
    const key = await tryCode(evening, code);
    if (key === null) return texts.wrongCode;
    openedEarly.current ??= await open(evening, key);
    const { opens_at } = openedEarly.current.manifest;
    return isTooEarly(opens_at, new Date()) ? tooEarly(dayAndHour(opens_at)) : openedEarly.current;
  }
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = intendedCode(event.currentTarget.querySelector('input')?.value ?? '');
    const evening = latest.current;
    if (working || evening?.whole === false) return;
    if (evening === undefined) return setErrorText(texts.stillReading);
    if (code === '') return refuse(accessTexts.empty);
    prepareEntry();
    setWorking(true);
    setErrorText(null);
    try {
      const found = await openWithCode(evening, code);
      if (typeof found === 'string') return refuse(found);
      void openLetter(found.snapshot.config.recipient_name, found.snapshot.config.sound_effects);
      onOpen(found);
    } catch (error) {
      console.error(error);
      refuse(texts.damaged);
    } finally {
      setWorking(false);
    }
  }
  return { submit, working, said: errorText, refusals, edited: () => setErrorText(null) };
}
