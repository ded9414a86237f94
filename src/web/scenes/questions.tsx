import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react';
import { canHandwrite, withoutMarkers } from '../../domain/phrases.ts';
import { experienceTexts as texts } from '../../texts/experience.ts';
import { Heart } from './heart.tsx';
import styles from './questions.module.css';
import '../ui/hand/hand.css';
import { fontSizeFor, longestWordLength } from './type.ts';

type Props = {
  domanda_1: string;
  domanda_2: string;
  /** The question on screen. */
  current: 1 | 2;
  /** Answers so far; a chosen answer can't be changed (spec 4 «Question rules»). */
  risposta_1: boolean | null;
  risposta_2: boolean | null;
  /** Recipient's name, if configured. */
  recipient_name?: string | null;
  /** Thanks, once the server has the answers; no question is asked afterwards. */
  thanks?: string | null;
  onAnswer: (question: 1 | 2, answer: boolean) => void;
  /** Text below: sending, or waiting for a retry. */
  children?: ReactNode;
};

/** Asks two questions, one at a time, each with two equal answers. Two hearts count them, and the thanks rise from the hearts. */
export function Questions({
  current,
  risposta_1,
  risposta_2,
  recipient_name = null,
  thanks = null,
  onAnswer,
  children,
  ...domande
}: Props) {
  const { domanda_1, domanda_2 } = domande;
  // Both questions have the size of the longer one.
  const longer = withoutMarkers(domanda_1).length > withoutMarkers(domanda_2).length ? domanda_1 : domanda_2;
  const title = useId();
  const heading = useFocusOnNext(current);
  const chosen = current === 1 ? risposta_1 : risposta_2;
  // A visit resumed after the answers has no question left.
  const hasQuestion = thanks === null || chosen !== null;
  const leaving = thanks !== null || (current === 1 && chosen !== null);
  return (
    <section
      className={styles.scene}
      data-thanks={thanks !== null}
      style={longestWordLength(`${domanda_1} ${domanda_2}`)}
    >
      <div className={styles.words}>
        {hasQuestion && (
          <div key={current} className={styles.asked} data-leaving={leaving}>
            <p className={styles.spoken}>{texts.question(current)}</p>
            {recipient_name !== null && (
              <p dir="auto" className={styles.name} data-hand={canHandwrite(recipient_name)}>
                {texts.callByName(recipient_name)}
              </p>
            )}
            <Question
              ref={heading}
              id={title}
              text={domande[`domanda_${current}`]}
              size={fontSizeFor(longer)}
            />
          </div>
        )}
        <div className={styles.thanks} role="status">
          {thanks !== null && <Thanks text={thanks} />}
        </div>
        <div className={styles.below} aria-live="polite">
          {children}
        </div>
      </div>
      <div className={styles.hearts} aria-hidden="true">
        <Heart lit className={heartOf(current === 1, risposta_1 !== null || thanks !== null)} />
        <Heart lit className={heartOf(current === 2, risposta_2 !== null || thanks !== null)} />
      </div>
      {hasQuestion && (
        <Answers
          key={current}
          title={title}
          chosen={chosen}
          leaving={leaving}
          onAnswer={(answer) => onAnswer(current, answer)}
        />
      )}
    </section>
  );
}

/** The part that ends with three dots is handwritten. */
function Thanks({ text }: { text: string }) {
  const end = /^.*?\.\.\./.exec(text)?.[0].length ?? 0;
  return (
    <p>
      {end > 0 && <span className={styles.love}>{text.slice(0, end)}</span>}
      {text.slice(end)}
    </p>
  );
}

type QuestionProps = {
  ref: Ref<HTMLHeadingElement>;
  id: string;
  text: string;
  size: ReturnType<typeof fontSizeFor>;
};

function Question({ ref, id, text, size }: QuestionProps) {
  return (
    <h2 dir="auto" ref={ref} id={id} className={styles.question} {...size} tabIndex={-1}>
      {text}
    </h2>
  );
}

function heartOf(asked: boolean, isAnswered: boolean): string | undefined {
  if (isAnswered) return styles.given;
  return asked ? styles.open : styles.coming;
}

/** The focused answer disappears with its question; the next question takes the focus and is announced. */
function useFocusOnNext(asked: 1 | 2): Ref<HTMLHeadingElement> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(asked);
  useEffect(() => {
    if (before.current !== asked) heading.current?.focus({ preventScroll: true });
    before.current = asked;
  }, [asked]);
  return heading;
}

type AnswersProps = {
  /** Id of the question's element. */
  title: string;
  chosen: boolean | null;
  leaving: boolean;
  onAnswer: (answer: boolean) => void;
};

function Answers({ title, chosen, leaving, onAnswer }: AnswersProps) {
  return (
    <div className={styles.answers} role="group" aria-labelledby={title} data-leaving={leaving}>
      <Answer text={texts.yes} value chosen={chosen} onAnswer={onAnswer} />
      <Answer text={texts.no} value={false} chosen={chosen} onAnswer={onAnswer} />
    </div>
  );
}

type AnswerProps = {
  text: string;
  value: boolean;
  chosen: boolean | null;
  onAnswer: (answer: boolean) => void;
};

/** Uses `aria-disabled`, because `disabled` would drop the keyboard focus of the pressed button. */
function Answer({ text, value, chosen, onAnswer }: AnswerProps) {
  const locked = chosen !== null;
  const isChosen = chosen === value;
  return (
    <button
      type="button"
      className={styles.answer}
      data-state={locked ? (isChosen ? 'chosen' : 'left') : 'open'}
      aria-pressed={isChosen}
      aria-disabled={locked}
      onClick={() => {
        if (!locked) onAnswer(value);
      }}
    >
      {text}
      {isChosen && <Heart lit className={styles.leaving} />}
    </button>
  );
}
