import { Paper, Progress, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { ProcessingUpload } from '../../../../../contract/admin/media.ts';
import type { SlotName } from '../../../../../domain/media.ts';
import { wholePercent } from '../../../../../texts/admin/formats.ts';
import { pageAt } from '../../../../../texts/admin/pages.ts';
import { uploadTexts as texts } from '../../../../../texts/admin/uploads.ts';
import { useProcessingUploads } from '../arrivals/arrived.ts';
import { useWatchProcessing } from '../arrivals/watch.ts';
import { useUploads } from './store.ts';
import type { Upload } from './upload.ts';
import styles from './upload-indicator.module.css';

/** Page that shows a slot's uploads. */
const PLACES: Record<SlotName, { pathname: string; hash?: string }> = {
  video: { pathname: '/admin/video' },
  canzone: { pathname: '/admin/musica' },
  immagine: { pathname: '/admin/immagine' },
  biglietti: { pathname: '/admin/biglietti' },
  immagine_2: { pathname: '/admin/second-trip-details', hash: 'immagine' },
  biglietti_2: { pathname: '/admin/second-trip-details', hash: 'biglietti' },
};

/** Running uploads and files the server processes, in a corner of every other page; each links to its page. */
export function UploadIndicator() {
  useWatchProcessing();
  const { pathname } = useLocation();
  const uploads = useUploads();
  const arrived = useProcessingUploads().filter((one) =>
    uploads.every(({ upload }) => upload !== one.upload),
  );
  const news = [...uploads.map(uploadNews), ...arrived.map(processingNews)];
  const elsewhere = news.filter(({ slot }) => pageAt(PLACES[slot].pathname) !== pageAt(pathname));
  if (elsewhere.length === 0) return null;
  return (
    <Paper component="aside" aria-label={texts.indicator} withBorder shadow="md" className={styles.corner}>
      <Stack gap="xs">
        {elsewhere.map((one) => (
          <News key={one.key} news={one} />
        ))}
      </Stack>
    </Paper>
  );
}

type NewsOf = {
  key: string;
  slot: SlotName;
  nome: string;
  words: string;
  /** Progress and its label; null if it has stopped. */
  bar: { share: number; label: string } | null;
};

function News({ news: { slot, nome, words, bar } }: { news: NewsOf }) {
  return (
    <Link to={PLACES[slot]} className={styles.upload}>
      <Text size="sm" truncate>
        {nome}
      </Text>
      <Text size="xs" c="dimmed">
        {words}
      </Text>
      {bar !== null && <Progress value={wholePercent(bar.share)} size="sm" aria-label={bar.label} />}
    </Link>
  );
}

function uploadNews({ key, slot, nome, sent, size, state: { phase } }: Upload): NewsOf {
  const share = sent / size;
  const bar = { share, label: texts.progressLabel(nome) };
  if (phase === 'sending') return { key, slot, nome, words: texts.share(share), bar };
  const words = phase === 'waiting' ? texts.indicatorWaiting(share) : texts.indicatorStopped;
  return { key, slot, nome, words, bar };
}

function processingNews(arrived: ProcessingUpload): NewsOf {
  const { upload: key, slot, nome } = arrived;
  if (arrived.state === 'refused') return { key, slot, nome, words: texts.indicatorRefused, bar: null };
  if (arrived.state === 'stopped') return { key, slot, nome, words: texts.indicatorStopped, bar: null };
  const { waiting, progress: share } = arrived;
  const words = waiting ? texts.indicatorQueued : texts.indicatorWorking(share);
  return { key, slot, nome, words, bar: { share, label: texts.workLabel(nome) } };
}
