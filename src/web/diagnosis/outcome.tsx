import { useRef } from 'react';
import { evaluateFindings, type Findings } from '../../domain/diagnosis.ts';
import {
  faultTexts,
  resultText,
  diagnosisTexts as texts,
  untestedText,
  verdictText,
} from '../../texts/diagnosis.ts';
import { deviceOf } from '../device.ts';
import { Button } from '../ui/button.tsx';
import { toastError, toastSuccess } from '../ui/toaster/toast.ts';
import { menuHint } from '../visitor/access/in-app/which-app.ts';
import styles from './page.module.css';
import { Question } from './question.tsx';

type Props = {
  findings: Findings;
  /** True if the findings arrived; undefined while unknown. */
  sent: boolean | undefined;
  onSend: () => void;
  onAgain: () => void;
};

/** Shows the result and what to do. The whole text can be copied. */
export function ResultPage({ findings, sent, onSend, onAgain }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const result = evaluateFindings(findings);
  const text = resultText(deviceOf(navigator.userAgent).words, result, findings);
  const skippedText = untestedText(result);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toastSuccess(texts.copied);
    } catch {
      field.current?.select();
      toastError(texts.notCopied);
    }
  };
  return (
    <Question title={verdictText(result.verdict)}>
      {result.faults.length > 0 && (
        <ul className={styles.todo} aria-label={texts.todo}>
          {result.faults.map((id) => (
            <li key={id}>
              {faultTexts[id]}
              {id === 'in_app' && ` ${menuHint()}.`}
            </li>
          ))}
        </ul>
      )}
      {skippedText !== '' && <p className={styles.small}>{skippedText}</p>}
      {sent !== undefined && (
        <p role="status" className={styles.small}>
          {sent ? texts.sent : texts.unsent}
        </p>
      )}
      {sent === false && (
        <Button wide look="quiet" onClick={onSend}>
          {texts.retry}
        </Button>
      )}
      <Button wide onClick={() => void copy()}>
        {texts.copy}
      </Button>
      <textarea ref={field} className={styles.copy} readOnly aria-label={texts.copy} value={text} />
      <Button wide look="quiet" onClick={onAgain}>
        {texts.again}
      </Button>
    </Question>
  );
}
