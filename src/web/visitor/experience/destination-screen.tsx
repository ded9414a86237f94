import { useState } from 'react';
import { pictureSeconds } from '../../../experience/selectors.ts';
import { Destination } from '../../scenes/destination.tsx';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';

export function DestinationScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'destination');
  // As they were when the picture's time began.
  const [seconds] = useState(() => pictureSeconds(actor.getSnapshot()));
  return content && <Destination {...content} seconds={seconds} />;
}
