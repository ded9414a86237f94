import type { Configuration } from '../../../../../domain/configuration.ts';
import type { Viaggio } from '../../../../../domain/content.ts';
import { tripMediaTexts as texts } from '../../../../../texts/admin/media.ts';
import { PhonePreview } from '../../phone-frame/phone-preview.tsx';
import { CardScene, DestinationScene } from '../../phone-frame/trip-scenes.tsx';
import { usePicture } from '../focus/use-picture.ts';

type Props = {
  /** The stored configuration with the typed values. */
  config: Configuration;
  viaggio: Viaggio;
};

/** The destination's picture and titles as the visitor sees them. */
export function DestinationPreview(props: Props) {
  const { fuoco, hues } = usePicture(props.viaggio);
  return (
    <PhonePreview label={texts.destinationPreview} hour="journey" hues={hues}>
      <DestinationScene {...props} fuoco={fuoco} missing={texts.noImage} />
    </PhonePreview>
  );
}

/** The boarding pass with dates and ticket buttons, as the visitor sees it. */
export function CardPreview(props: Props) {
  const { fuoco, hues } = usePicture(props.viaggio);
  return (
    <PhonePreview label={texts.cardPreview} hour="journey" hues={hues}>
      <CardScene {...props} fuoco={fuoco} />
    </PhonePreview>
  );
}
