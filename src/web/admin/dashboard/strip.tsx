import { VisuallyHidden } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { ChecklistStep, StepName } from '../../../domain/checklist.ts';
import { type Snapshot, tripOf } from '../../../domain/content.ts';
import { recipientName } from '../../../domain/recipient-name.ts';
import { stageContent } from '../../../domain/stage-content.ts';
import {
  checklistStepName,
  checklistStepStatus,
  checklistTexts as texts,
} from '../../../texts/admin/dashboard.ts';
import { SKY_OF_STAGE } from '../../scenes/hours.ts';
import { IconCheck, IconLoader2 } from '../../ui/icons/icons.tsx';
import { Drawing, type DrawingName } from '../components/drawing.tsx';
import { StageScene } from '../components/evening/stage-scene.tsx';
import { SceneThumbnail } from '../components/evening/still.tsx';
import styles from './strip.module.css';

/** Drawing for a step without a scene to show. */
const DRAWN: Record<StepName, DrawingName> = {
  evening: 'visit',
  pre_phrases: 'phrases',
  video: 'film',
  song: 'song',
  phrases: 'phrases',
  between_phrases: 'phrases',
  destination: 'picture',
  card: 'ticket',
  questions: 'questions',
  closing: 'closing',
  online: 'phone',
  rehearsal: 'film',
  code: 'letter',
};

type StripProps = {
  scenes: readonly ChecklistStep[];
  snapshot: Snapshot;
  /** The next missing step, if any. */
  next: ChecklistStep | undefined;
};

/** The evening as the visitor will see it: a picture per checklist step, each linked to its page. */
export function Checklist({ scenes, snapshot, next }: StripProps) {
  const strip = useRef<HTMLOListElement>(null);
  const place = next === undefined ? 0 : scenes.indexOf(next);
  useLayoutEffect(() => {
    // Keeps the preceding step in view.
    const before = strip.current?.children[Math.max(0, place - 1)];
    if (before instanceof HTMLElement) strip.current?.scrollTo({ left: before.offsetLeft - STRIP_EDGE });
  }, [place]);
  return (
    <ol ref={strip} className={styles.strip} aria-label={texts.strip}>
      {scenes.map((scene, index) => (
        <Piece
          key={`${scene.name} ${scene.viaggio}`}
          scene={scene}
          position={index + 1}
          snapshot={snapshot}
          current={scene === next}
        />
      ))}
    </ol>
  );
}

/** Space before the first visible picture, in pixels. */
const STRIP_EDGE = 4;

type PieceProps = { scene: ChecklistStep; position: number; snapshot: Snapshot; current: boolean };

function Piece({ scene, position: place, snapshot, current }: PieceProps) {
  const { state, page, part } = scene;
  const status = checklistStepStatus(scene);
  return (
    <li className={styles.piece} data-state={state} aria-current={current ? 'step' : undefined}>
      <Picture scene={scene} snapshot={snapshot} />
      <span className={styles.sign} aria-hidden>
        {state === 'done' ? (
          <IconCheck size={16} stroke={2.5} />
        ) : state === 'working' ? (
          <IconLoader2 size={16} stroke={2.5} />
        ) : (
          place
        )}
      </span>
      <Link to={{ pathname: page, hash: part }} className={styles.way}>
        {checklistStepName(scene)}
        {state === 'done' && <VisuallyHidden>: {status}</VisuallyHidden>}
      </Link>
      {state !== 'done' && <span className={styles.said}>{status}</span>}
    </li>
  );
}

/** All answers yes, to preview the closing phrase of that case. */
const YES = new Map([[1, { risposta_1: true, risposta_2: true }]] as const);

function Picture({ scene, snapshot }: { scene: ChecklistStep; snapshot: Snapshot }) {
  const { name, step } = scene;
  if (step === null)
    return (
      <div className={styles.ghost}>
        <Drawing name={DRAWN[name]} />
      </div>
    );
  return (
    <SceneThumbnail
      title={checklistStepName(scene)}
      hour={SKY_OF_STAGE[step.stage]}
      hues={tripOf(snapshot, step.viaggio).hues}
    >
      <StageScene
        content={stageContent(snapshot, step, YES)}
        passenger={recipientName(snapshot.config)}
        still
      />
    </SceneThumbnail>
  );
}

/** Placeholder of the checklist. */
export function ChecklistSkeleton() {
  return (
    <div className={styles.strip} aria-hidden>
      {Array.from({ length: 9 }, (_, place) => (
        <div key={place} className={styles.piece}>
          <div className={styles.ghost} />
        </div>
      ))}
    </div>
  );
}
