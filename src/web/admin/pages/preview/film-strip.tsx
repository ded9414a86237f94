import { Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { type ReactNode, useId, useState } from 'react';
import type { Answers } from '../../../../domain/closing.ts';
import type { FrasiFinali, Snapshot } from '../../../../domain/content.ts';
import { itinerary, type Step } from '../../../../domain/itinerary.ts';
import { stageContent } from '../../../../domain/stage-content.ts';
import { previewCardTexts, stageName, filmStripTexts as texts } from '../../../../texts/admin/preview.ts';
import { Night } from '../../../scenes/night.tsx';
import { PhonePreview } from '../../kit/phone-frame/phone-preview.tsx';
import { PhoneScreen } from '../../kit/phone-frame/phone-screen.tsx';
import styles from './film-strip.module.css';
import { StageScene } from './stage-scene.tsx';

/** Answers that lead to each closing phrase. */
const ANSWERS: Record<keyof FrasiFinali, Answers> = {
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

/** The evening in order: every stage drawn small, the chosen one large, all by the visitor's own scenes. */
export function FilmStrip({ snapshot }: { snapshot: Snapshot }) {
  const title = useId();
  const steps = itinerary(snapshot);
  const [chosen, setChosen] = useState(0);
  const [closing, setClosing] = useState<keyof FrasiFinali>('entrambi_si');
  const index = Math.min(chosen, steps.length - 1);
  const step = steps[index];
  if (step === undefined) return null;
  const contentOf = (of: Step) => stageContent(snapshot, of, new Map([[1, ANSWERS[closing]]]));
  const branches = step.stage === 'closing' && step.viaggio === 1;
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
        <ol className={styles.strip} aria-label={texts.strip}>
          {steps.map((of, place) => (
            <Frame
              key={`${of.stage} ${of.viaggio}`}
              name={stageName(of)}
              chosen={place === index}
              onChoose={() => setChosen(place)}
            >
              <StageScene content={contentOf(of)} still />
            </Frame>
          ))}
        </ol>
        <Stack align="center" gap="sm">
          {branches && (
            <SegmentedControl
              aria-label={texts.answers}
              data={[...CLOSINGS]}
              value={closing}
              onChange={setClosing}
            />
          )}
          <PhonePreview
            key={`${index} ${closing}`}
            label={`${stageName(step)} · ${texts.place(index, steps.length)}`}
          >
            <StageScene content={contentOf(step)} />
          </PhonePreview>
        </Stack>
      </Stack>
    </Paper>
  );
}

type FrameProps = { name: string; chosen: boolean; onChoose: () => void; children: ReactNode };

/** One picture of the strip; it is drawn once it comes into view. */
function Frame({ name, chosen, onChoose, children }: FrameProps) {
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const [drawn, setDrawn] = useState(false);
  if (inViewport && !drawn) setDrawn(true);
  return (
    <li ref={ref} className={styles.frame} data-chosen={chosen}>
      <div className={styles.phone}>
        {drawn && (
          <PhoneScreen title={name}>
            <Night still>{children}</Night>
          </PhoneScreen>
        )}
      </div>
      <button type="button" className={styles.choose} aria-pressed={chosen} onClick={onChoose}>
        {name}
      </button>
    </li>
  );
}
