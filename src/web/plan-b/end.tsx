import { useEffect, useState } from 'react';
import type { Visit } from '../../contract/visit.ts';
import { withoutMarkers } from '../../domain/phrases.ts';
import type { StageContent } from '../../domain/stage-content.ts';
import { exitReason } from '../../experience/selectors.ts';
import type { VisitActor } from '../../experience/visit-machine.ts';
import { experienceTexts } from '../../texts/experience.ts';
import { planBTexts as texts } from '../../texts/keepsake.ts';
import { usePalette } from '../palette.ts';
import { Button } from '../ui/button.tsx';
import { endMedia } from '../visitor/experience/media.ts';
import { releaseWakeLock } from '../visitor/media-host.ts';
import styles from '../visitor/message.module.css';
import { Message } from '../visitor/message.tsx';
import own from './plan-b.module.css';

type Props = { actor: VisitActor; onAgain: () => void };

/** Shows the answers after the evening, for the visitor to send. */
export function End({ actor, onAgain }: Props) {
  usePalette('night');
  const { visit } = actor.getSnapshot().context;
  const whole = exitReason(actor.getSnapshot())?.because === 'ended';
  const answers = visit === null ? '' : answersText(visit);
  useEffect(() => {
    releaseWakeLock();
    endMedia();
  }, []);
  return (
    <Message title={whole ? texts.endTitle : texts.brokenTitle}>
      {!whole && <p>{texts.brokenHint}</p>}
      {answers !== '' && <Answers text={answers} />}
      <div className={styles.ways}>
        <Button look="quiet" onClick={onAgain}>
          {texts.again}
        </Button>
      </div>
    </Message>
  );
}

/** Returns the questions with their answers as a message; empty without answers. */
function answersText({ answers, stages }: Visit): string {
  const yesOrNo = (value: boolean) => (value ? experienceTexts.yes : experienceTexts.no);
  const lines = answers.flatMap(({ viaggio, risposta_1, risposta_2 }) => {
    const questions = stages.find((stage) => stage.stage === 'questions' && stage.viaggio === viaggio);
    if (!isQuestions(questions)) return [];
    const both = [
      `${withoutMarkers(questions.domanda_1)} ${yesOrNo(risposta_1)}`,
      `${withoutMarkers(questions.domanda_2)} ${yesOrNo(risposta_2)}`,
    ];
    return answers.length > 1 ? [`${texts.trip(viaggio)}:`, ...both] : both;
  });
  return lines.length === 0 ? '' : [`${texts.message}:`, ...lines].join('\n');
}

const isQuestions = (
  content: StageContent | undefined,
): content is Extract<StageContent, { stage: 'questions' }> => content?.stage === 'questions';

function Answers({ text }: { text: string }) {
  const [status, setStatus] = useState('');
  const maySend = 'share' in navigator;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setStatus(texts.copied),
      () => setStatus(texts.copyFailed),
    );
  return (
    <>
      <p>{texts.answersHere}</p>
      <p dir="auto" className={own.answers}>
        {text}
      </p>
      <div className={styles.ways}>
        {maySend && (
          <Button onClick={() => void navigator.share({ text }).catch(() => undefined)}>{texts.share}</Button>
        )}
        <Button {...(maySend && { look: 'quiet' as const })} onClick={() => void copy()}>
          {texts.copy}
        </Button>
      </div>
      <p role="status">{status}</p>
    </>
  );
}
