import { type ReactNode, useId } from 'react';
import { diagnosisTexts as texts } from '../../texts/diagnosis.ts';
import { Button } from '../ui/button.tsx';
import styles from './page.module.css';
import { STEPS } from './progress.ts';

type Props = {
  title: string;
  text?: string | undefined;
  /** Index of the step, from 0. */
  step?: number;
  children?: ReactNode;
  onSkip?: () => void;
};

/** Shows one question. Its title takes the focus, so that screen readers announce the change. */
export function Question({ title, text, step, children, onSkip }: Props) {
  const progress = useId();
  return (
    <main className={styles.page}>
      <section className={styles.paper}>
        {step !== undefined && (
          <p className={styles.place}>
            <span id={progress}>{texts.position(step + 1, STEPS.length)}</span>
            <progress value={step} max={STEPS.length} aria-labelledby={progress} />
          </p>
        )}
        <h1 key={`${title} ${text}`} ref={takeFocus} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {text !== undefined && <p className={styles.text}>{text}</p>}
        {children !== undefined && <div className={styles.ways}>{children}</div>}
        {onSkip !== undefined && (
          <button type="button" className={styles.skip} onClick={onSkip}>
            {texts.skip}
          </button>
        )}
      </section>
    </main>
  );
}

function takeFocus(heading: HTMLHeadingElement | null): void {
  heading?.focus({ preventScroll: true });
}

type AnswersProps = { onAnswer: (answer: 'yes' | 'no' | 'unsure') => void };

/** Three answers for a question that only a person can judge. */
export function Answers({ onAnswer }: AnswersProps) {
  return (
    <>
      <Button wide onClick={() => onAnswer('yes')}>
        {texts.yes}
      </Button>
      <Button wide onClick={() => onAnswer('no')}>
        {texts.no}
      </Button>
      <Button wide look="quiet" onClick={() => onAnswer('unsure')}>
        {texts.unsure}
      </Button>
    </>
  );
}
