import { Badge } from '@mantine/core';
import type { AnswerRecord } from '../../../../contract/admin/config.ts';
import { withoutMarkers } from '../../../../domain/phrases.ts';
import { answersTexts as texts } from '../../../../texts/admin/questions.ts';
import styles from './asked-and-answered.module.css';

/** The two questions of a trip as the visitor saw them, each with its answer. */
export function QuestionsAndAnswers({ answer }: { answer: AnswerRecord }) {
  return (
    <dl className={styles.answers}>
      <Answered question={answer.domanda_1 ?? texts.noQuestion[1]} yes={answer.risposta_1} />
      <Answered question={answer.domanda_2 ?? texts.noQuestion[2]} yes={answer.risposta_2} />
    </dl>
  );
}

function Answered({ question, yes }: { question: string; yes: boolean }) {
  return (
    <div className={styles.answer}>
      <dt>{withoutMarkers(question)}</dt>
      <dd>
        <Badge className={styles.said ?? ''} variant={yes ? 'filled' : 'outline'} size="lg" tt="none">
          {yes ? texts.yes : texts.no}
        </Badge>
      </dd>
    </div>
  );
}
