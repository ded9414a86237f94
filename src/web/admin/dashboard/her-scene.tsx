import { Text } from '@mantine/core';
import type { AnswerRecord } from '../../../contract/admin/questions.ts';
import type { SessionRecord } from '../../../contract/admin/sessions.ts';
import { tripOf } from '../../../domain/content.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import { recipientName } from '../../../domain/recipient-name.ts';
import { stageContent } from '../../../domain/stage-content.ts';
import { checklistTexts as texts } from '../../../texts/admin/checklist.ts';
import { stageName } from '../../../texts/admin/preview.ts';
import { SKY_OF_STAGE } from '../../scenes/hours.ts';
import { useEveningData } from '../components/evening/evening-data.ts';
import { StageScene } from '../components/evening/stage-scene.tsx';
import { SceneThumbnail } from '../components/evening/still.tsx';
import styles from './hero.module.css';

type Props = { visit: SessionRecord; answers: readonly AnswerRecord[] };

/**
 * The visitor's present scene on a phone, by stage and phrase. Drawn from the present configuration; a stage removed since then
 * shows nothing.
 */
export function VisitorScene({ visit, answers }: Props) {
  const snapshot = useEveningData().data?.snapshot;
  const at = visit.stages[visit.position.step];
  const step =
    snapshot &&
    itinerary(snapshot).find(({ stage, viaggio }) => stage === at?.stage && viaggio === at.viaggio);
  if (snapshot === undefined || step === undefined) return <div className={styles.phone} />;
  const answersByTrip = new Map(answers.map((answer) => [answer.viaggio, answer] as const));
  return (
    <figure className={styles.phone}>
      <SceneThumbnail
        title={stageName(step)}
        hour={SKY_OF_STAGE[step.stage]}
        hues={tripOf(snapshot, step.viaggio).hues}
      >
        <StageScene
          key={`${step.stage} ${step.viaggio}`}
          content={stageContent(snapshot, step, answersByTrip)}
          passenger={recipientName(snapshot.config)}
          at={visit.position.phrase}
          still
        />
      </SceneThumbnail>
      <Text component="figcaption" size="sm" c="dimmed" ta="center">
        {texts.live}
      </Text>
    </figure>
  );
}
