import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Configuration } from '../../../../domain/content.ts';
import { destinationTextsTexts as texts } from '../../../../texts/admin/content-forms.ts';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { CardScene, DestinationScene } from '../../components/phone-frame/trip-scenes.tsx';
import styles from './destination-preview.module.css';

/** Both places where the titles stand: over the picture, and on the trip card. */
export function DestinationPreview({ config }: { config: Configuration }) {
  const [scene, setScene] = useState(config.immagine_destinazione_url === null ? 'card' : 'picture');
  return (
    <Stack className={styles.stack}>
      <SegmentedControl
        fullWidth
        className={styles.choice ?? ''}
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
          <DestinationScene config={config} viaggio={1} missing={texts.noPicture} />
        </PhonePreview>
      ) : (
        <PhonePreview label={texts.card}>
          <CardScene config={config} viaggio={1} />
        </PhonePreview>
      )}
    </Stack>
  );
}
