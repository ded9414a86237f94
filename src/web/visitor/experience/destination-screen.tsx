import { Destination } from '../../scenes/destination.tsx';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';

export function DestinationScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'destination');
  return content && <Destination {...content} seconds={content.durata_immagine_destinazione_secondi} />;
}
