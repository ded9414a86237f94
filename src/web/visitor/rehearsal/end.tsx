import { withoutMarkers } from '../../../domain/phrases.ts';
import type { StageContent } from '../../../domain/stage-content.ts';
import { exitReason } from '../../../experience/selectors.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { experienceTexts } from '../../../texts/experience.ts';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../message.module.css';
import { Message } from '../message.tsx';

type Props = {
  actor: VisitActor;
  onAgain: () => void;
  onLeave: () => void;
  /** Null if the evening has no questions. */
  onQuestions: (() => void) | null;
};

/** Shows the last phrases after the end, the answers that led to them, and ways to repeat. */
export function End({ actor, onAgain, onLeave, onQuestions }: Props) {
  const { visit } = actor.getSnapshot().context;
  const isComplete = exitReason(actor.getSnapshot())?.because === 'ended';
  const yesOrNo = (value: boolean) => (value ? experienceTexts.yes : experienceTexts.no);
  return (
    <Message title={isComplete ? texts.endTitle : texts.brokenTitle}>
      {isComplete && <Shown frasi={lastWords(visit?.stages.at(-1))} />}
      {visit?.answers.map(({ viaggio, risposta_1, risposta_2 }) => (
        <p key={viaggio}>{texts.answerLine(viaggio, yesOrNo(risposta_1), yesOrNo(risposta_2))}</p>
      ))}
      {!isComplete && <p>{texts.brokenHint}</p>}
      <p className={styles.small}>{texts.nothingKept}</p>
      <div className={styles.ways}>
        {onQuestions !== null && isComplete && <Button onClick={onQuestions}>{texts.fromQuestions}</Button>}
        <Button look="quiet" onClick={onAgain}>
          {texts.again}
        </Button>
        <Button look="quiet" onClick={onLeave}>
          {texts.leave}
        </Button>
      </div>
    </Message>
  );
}

function Shown({ frasi }: { frasi: readonly string[] }) {
  if (frasi.length === 0) return <p>{texts.nothingShown}</p>;
  return (
    <div className={styles.shown}>
      <h2>{texts.shown}</h2>
      {frasi.map((frase, index) => (
        // A phrase may occur twice, and the order never changes.
        <blockquote dir="auto" key={index}>
          {withoutMarkers(frase)}
        </blockquote>
      ))}
    </div>
  );
}

function lastWords(content: StageContent | undefined): readonly string[] {
  if (content?.stage !== 'closing') return [];
  if (content.viaggio === 2) return content.frasi;
  return content.frase === null ? [] : [content.frase];
}
