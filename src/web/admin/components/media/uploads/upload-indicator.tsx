import { Paper, Progress, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { uploadTexts as texts } from '../../../../../texts/admin/media.ts';
import { useUploads } from './store.ts';
import type { Upload } from './upload.ts';
import styles from './upload-indicator.module.css';

/** The pages that show a slot's uploads. */
const PAGES: Record<SlotName, readonly [string, ...string[]]> = {
  video: ['/admin/video'],
  canzone: ['/admin/musica'],
  immagine: ['/admin/immagine', '/admin/biglietti'],
  biglietti: ['/admin/biglietti', '/admin/immagine'],
  immagine_2: ['/admin/second-trip-details'],
  biglietti_2: ['/admin/second-trip-details'],
};

/** The uploads under way, in a corner of every page but their own; each leads there. */
export function UploadIndicator() {
  const { pathname } = useLocation();
  const elsewhere = useUploads().filter(({ slot }) => !PAGES[slot].includes(pathname));
  if (elsewhere.length === 0) return null;
  return (
    <Paper component="aside" aria-label={texts.indicator} withBorder shadow="md" className={styles.corner}>
      <Stack gap="xs">
        {elsewhere.map((upload) => (
          <Link key={upload.key} to={PAGES[upload.slot][0]} className={styles.upload}>
            <Text size="sm" truncate>
              {upload.nome}
            </Text>
            <Text size="xs" c="dimmed">
              {words(upload)}
            </Text>
            <Progress value={shareOf(upload) * 100} size="sm" aria-label={texts.progressLabel(upload.nome)} />
          </Link>
        ))}
      </Stack>
    </Paper>
  );
}

function words(upload: Upload): string {
  const { phase } = upload.state;
  if (phase === 'sending') return texts.share(shareOf(upload));
  if (phase === 'checking') return texts.indicatorChecking;
  return phase === 'waiting' ? texts.indicatorWaiting(shareOf(upload)) : texts.indicatorStopped;
}

function shareOf({ sent, size, state }: Upload): number {
  return state.phase === 'checking' ? state.progress : sent / size;
}
