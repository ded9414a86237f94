import { Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import type { ChecklistStep } from '../../../../domain/checklist.ts';
import type { FrasiFinali } from '../../../../domain/configuration.ts';
import { type Snapshot, tripOf } from '../../../../domain/content.ts';
import { itinerary, type Step } from '../../../../domain/itinerary.ts';
import { recipientName } from '../../../../domain/recipient-name.ts';
import { type Answers, stageContent } from '../../../../domain/stage-content.ts';
import { checklistStepName, checklistStepStatus } from '../../../../texts/admin/dashboard.ts';
import { previewCardTexts, stageName, filmStripTexts as texts } from '../../../../texts/admin/preview.ts';
import { SKY_OF_STAGE, type SkyPhase } from '../../../scenes/hours.ts';
import { StageScene } from '../../components/evening/stage-scene.tsx';
import { SceneThumbnail } from '../../components/evening/still.tsx';
import { useChecklist } from '../../components/path/use-path.ts';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import styles from './film-strip.module.css';

type Closing = keyof FrasiFinali;

/** Answers that lead to each closing phrase. */
const ANSWERS: Record<Closing, Answers> = {
  entrambi_si: { risposta_1: true, risposta_2: true },
  entrambi_no: { risposta_1: false, risposta_2: false },
  misto: { risposta_1: true, risposta_2: false },
};
const { both } = previewCardTexts.closing;
const CLOSINGS = [
  { value: 'entrambi_si', label: both.entrambi_si },
  { value: 'entrambi_no', label: both.entrambi_no },
  { value: 'misto', label: both.misto },
] as const;

/** All stages of the evening in order as small pictures, and the chosen one large, drawn by the visitor's scenes. */
export function FilmStrip({ snapshot }: { snapshot: Snapshot }) {
  const title = useId();
  const { scenes = [] } = useChecklist().data ?? {};
  const steps = itinerary(snapshot);
  const [chosen, setChosen] = useState(0);
  const [closing, setClosing] = useState<Closing>('entrambi_si');
  const index = Math.min(chosen, steps.length - 1);
  const shown = steps[index];
  // Never happens: an evening has at least its last stage.
  if (shown === undefined) return null;
  const passenger = recipientName(snapshot.config);
  const huesOf = ({ viaggio }: Step) => tripOf(snapshot, viaggio).hues;
  const unfinished = scenes.filter(({ state }) => state !== 'done');
  const isOf =
    ({ stage, viaggio }: Step) =>
    (scene: ChecklistStep) =>
      scene.name === stage && scene.viaggio === viaggio;
  const notThere = unfinished.filter(
    (scene) =>
      !scene.needed &&
      !['evening', 'online', 'rehearsal', 'code'].includes(scene.name) &&
      !steps.some((step) => isOf(step)(scene)),
  );
  const contentOf = (step: Step) => stageContent(snapshot, step, new Map([[1, ANSWERS[closing]]]));
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={title}>
      <Stack>
        <div>
          <Title order={2} size="h3" id={title}>
            {texts.title}
          </Title>
          <Text c="dimmed">{texts.hint}</Text>
          {snapshot.config.video_url === null && <Text mt="xs">{texts.needsVideo}</Text>}
        </div>
        {notThere.length > 0 && (
          <Text size="sm" c="dimmed">
            {texts.notThere(notThere.map(checklistStepName))}
          </Text>
        )}
        <div className={styles.room}>
          <ol className={styles.strip} aria-label={texts.strip}>
            {steps.map((step, position) => (
              <Frame
                key={`${step.stage} ${step.viaggio}`}
                name={stageName(step)}
                state={unfinished.find(isOf(step))}
                hour={SKY_OF_STAGE[step.stage]}
                hues={huesOf(step)}
                chosen={position === index}
                onChoose={() => setChosen(position)}
              >
                <StageScene content={contentOf(step)} passenger={passenger} still />
              </Frame>
            ))}
          </ol>
          <Large
            content={contentOf(shown)}
            hues={huesOf(shown)}
            passenger={passenger}
            label={`${stageName(shown)} · ${texts.place(index, steps.length)}`}
            closing={closing}
            onClosing={setClosing}
          />
        </div>
      </Stack>
    </Paper>
  );
}

type LargeProps = Omit<ComponentProps<typeof StageScene>, 'still'> & {
  hues: readonly string[] | null;
  label: string;
  closing: Closing;
  onClosing: (closing: Closing) => void;
};

/** The chosen stage as the visitor sees it. For a single trip, the answers of the closing can be chosen. */
function Large({ content, hues, passenger, label, closing, onClosing }: LargeProps) {
  const branches = content.stage === 'closing' && content.viaggio === 1;
  return (
    <Stack align="center" gap="sm">
      {branches && (
        <SegmentedControl
          aria-label={texts.answers}
          data={[...CLOSINGS]}
          value={closing}
          onChange={onClosing}
        />
      )}
      <PhonePreview label={label} hour={SKY_OF_STAGE[content.stage]} hues={hues}>
        <StageScene
          key={`${content.stage} ${content.viaggio} ${closing}`}
          content={content}
          passenger={passenger}
        />
      </PhonePreview>
    </Stack>
  );
}

type FrameProps = {
  name: string;
  /** The checklist's step; undefined if it is done. */
  state: ChecklistStep | undefined;
  hour: SkyPhase;
  hues: readonly string[] | null;
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
};

/** One picture of the strip. */
function Frame({ name, state, hour, hues, chosen, onChoose, children }: FrameProps) {
  return (
    <li className={styles.frame} data-chosen={chosen}>
      <SceneThumbnail title={name} hour={hour} hues={hues}>
        {children}
      </SceneThumbnail>
      <button type="button" className={styles.choose} aria-pressed={chosen} onClick={onChoose}>
        {name}
      </button>
      {state !== undefined && (
        <Text size="sm" c="dimmed" ta="center">
          {checklistStepStatus(state)}
        </Text>
      )}
    </li>
  );
}
