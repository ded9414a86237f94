import { useSelector } from '@xstate/react';
import { questionsOf } from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { Questions } from '../../scenes/questions.tsx';
import { experienceSong } from './media.ts';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';

/** Both answers, once each. The second one is a tap, and only a tap may prepare the song's fade where volume has no effect. */
export function QuestionsScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'questions');
  const chosen = useSelector(actor, (snapshot) => questionsOf(snapshot).chosen);
  const sending = useSelector(actor, (snapshot) => questionsOf(snapshot).sending);
  const { risposta_1 = null, risposta_2 = null } = chosen;
  if (content === null) return null;
  const bothGiven = risposta_1 !== null && risposta_2 !== null;
  return (
    <Questions
      domanda_1={content.domanda_1}
      domanda_2={content.domanda_2}
      risposta_1={risposta_1}
      risposta_2={risposta_2}
      onAnswer={(question, value) => {
        if ((question === 1 ? risposta_2 : risposta_1) !== null) experienceSong().prepareFade();
        actor.send({ type: 'ANSWER', question, value });
      }}
    >
      {bothGiven && <p>{sending ? texts.sendingAnswers : texts.answersKept}</p>}
    </Questions>
  );
}
