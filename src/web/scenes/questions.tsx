import { type ReactNode, useId } from 'react';
import { experienceTexts as texts } from '../../texts/experience.ts';
import { Heart } from './heart.tsx';
import styles from './questions.module.css';

type Props = {
  domanda_1: string;
  domanda_2: string;
  /** What was chosen so far; a chosen answer can't be changed (spec 4 «Question rules»). */
  risposta_1: boolean | null;
  risposta_2: boolean | null;
  onAnswer: (question: 1 | 2, answer: boolean) => void;
  /** What is said below the cards: the sending, or that it will be tried again. */
  children?: ReactNode;
};

/** Two questions, each on its own card, with two equal answers. */
export function Questions({ domanda_1, domanda_2, risposta_1, risposta_2, onAnswer, children }: Props) {
  return (
    <section className={styles.scene}>
      <div className={styles.cards}>
        <QuestionCard
          number={1}
          question={domanda_1}
          chosen={risposta_1}
          onAnswer={(answer) => onAnswer(1, answer)}
        />
        <QuestionCard
          number={2}
          question={domanda_2}
          chosen={risposta_2}
          onAnswer={(answer) => onAnswer(2, answer)}
        />
        <div className={styles.below} aria-live="polite">
          {children}
        </div>
      </div>
    </section>
  );
}

type CardProps = {
  number: 1 | 2;
  question: string;
  chosen: boolean | null;
  onAnswer: (answer: boolean) => void;
};

function QuestionCard({ number, question, chosen, onAnswer }: CardProps) {
  const title = useId();
  return (
    <article className={styles.card} aria-labelledby={title}>
      <p className={styles.number}>{texts.question(number)}</p>
      <h2 id={title} className={styles.question}>
        {question}
      </h2>
      <div className={styles.answers} role="group" aria-labelledby={title}>
        <Answer text={texts.yes} value chosen={chosen} onAnswer={onAnswer} />
        <Answer text={texts.no} value={false} chosen={chosen} onAnswer={onAnswer} />
      </div>
    </article>
  );
}

type AnswerProps = {
  text: string;
  value: boolean;
  chosen: boolean | null;
  onAnswer: (answer: boolean) => void;
};

/** `aria-disabled` and not `disabled`: the button that was just pressed keeps the keyboard's focus. */
function Answer({ text, value, chosen, onAnswer }: AnswerProps) {
  const locked = chosen !== null;
  const mine = chosen === value;
  return (
    <button
      type="button"
      className={styles.answer}
      data-state={locked ? (mine ? 'chosen' : 'left') : 'open'}
      aria-pressed={mine}
      aria-disabled={locked}
      onClick={() => {
        if (!locked) onAnswer(value);
      }}
    >
      {text}
      {mine && <Heart className={styles.leaving} />}
    </button>
  );
}
