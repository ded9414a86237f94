import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Configuration, imageSeconds } from '../../../../domain/content.ts';
import { destinationTextsTexts as texts } from '../../../../texts/admin/content-forms.ts';
import { Destination } from '../../../scenes/destination.tsx';
import { Sentence } from '../../../scenes/sentence.tsx';
import { CardScene, previewTrip } from '../../kit/phone-frame/card-scene.tsx';
import { PhonePreview } from '../../kit/phone-frame/phone-preview.tsx';

/** Both places where the titles stand: over the picture, and on the trip card. */
export function DestinationPreview({ config }: { config: Configuration }) {
  const [scene, setScene] = useState(config.immagine_destinazione_url === null ? 'card' : 'picture');
  return (
    <Stack>
      <SegmentedControl
        fullWidth
        aria-label={texts.previewOf}
        value={scene}
        onChange={setScene}
        data={[
          { value: 'picture', label: texts.pictureShort },
          { value: 'card', label: texts.cardShort },
        ]}
      />
      {scene === 'picture' ? (
        <PhonePreview label={texts.picture}>
          <Picture config={config} />
        </PhonePreview>
      ) : (
        <PhonePreview label={texts.card}>
          <CardScene config={config} viaggio={1} />
        </PhonePreview>
      )}
    </Stack>
  );
}

function Picture({ config }: { config: Configuration }) {
  const { immagine_destinazione_url, titolo_destinazione, titolo_viaggio } = previewTrip(config, 1);
  if (immagine_destinazione_url === null) return <Sentence text={texts.noPicture} quiet />;
  return (
    <Destination
      immagine_destinazione_url={immagine_destinazione_url}
      titolo_destinazione={titolo_destinazione}
      titolo_viaggio={titolo_viaggio}
      seconds={imageSeconds(config.durata_immagine_destinazione_secondi)}
    />
  );
}
