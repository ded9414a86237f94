import { Stack, Text } from '@mantine/core';
import { type Configuration, type PhraseList } from '../../../../domain/configuration.ts';
import { displaySeconds, phraseSeconds, shownPhrases } from '../../../../domain/content.ts';
import { withoutMarkers } from '../../../../domain/emphasis.ts';
import { DEFAULT_TEXTS } from '../../../../domain/limits.ts';
import type { AdminPath } from '../../../../texts/admin/pages.ts';
import {
  blankCount,
  phraseCount,
  previewCardTexts,
  previewTexts,
  speedText,
} from '../../../../texts/admin/preview.ts';
import type { Settings } from '../../components/evening/evening-data.ts';
import styles from './preview-card.module.css';
import { Missing, nonBlank, PreviewCard, Value, Values } from './preview-card.tsx';

/** The main video, or a link to add it (spec 2 «Preview»). */
export function VideoCard({ config, poster_url }: { config: Settings; poster_url: string | null }) {
  const texts = previewCardTexts.video;
  const { video_url } = config;
  return (
    <PreviewCard
      title={texts.title}
      path="/admin/video"
      action={video_url === null ? texts.configure : previewTexts.edit}
    >
      {video_url === null ? (
        <Missing gender="masculine" />
      ) : (
        // The preview of the administrator's own film shows no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          className={styles.video}
          src={video_url}
          poster={poster_url ?? undefined}
          controls
          playsInline
          preload="metadata"
          aria-label={texts.player}
        />
      )}
      <Values>
        <Value name={texts.speed}>{speedText(config.video_playback_rate)}</Value>
        <Value name={texts.button}>
          {nonBlank(config.video_button_text) ?? DEFAULT_TEXTS.video_button_text}
        </Value>
      </Values>
    </PreviewCard>
  );
}

type PhrasesCardProps = {
  texts: { title: string; add: string };
  path: AdminPath;
  part?: string;
  config: Configuration;
  list: PhraseList;
};

/** A phrase list: number, duration and texts. */
export function PhrasesCard({ texts, path, part = '', config, list }: PhrasesCardProps) {
  const shown = shownPhrases(config[list]);
  const blank = config[list].length - shown.length;
  const seconds = phraseSeconds(config.durata_frase_secondi);
  const exact = config.frasi_secondi_esatti.includes(list);
  const longer = shown.some((frase) => displaySeconds(frase, seconds, exact) > seconds);
  return (
    <PreviewCard
      title={texts.title}
      path={path}
      part={part}
      action={shown.length === 0 ? texts.add : previewTexts.edit}
    >
      {shown.length === 0 ? (
        <Missing gender="feminine" />
      ) : (
        <Stack gap="xs">
          <Text fw={600}>{phraseCount(shown.length, seconds, longer)}</Text>
          {/* Focusable, so that the keyboard can scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <ol className={styles.phrases} tabIndex={0} aria-label={texts.title}>
            {shown.map((frase, index) => (
              // Phrases have no id here; the index is their key.
              <li key={index}>{withoutMarkers(frase)}</li>
            ))}
          </ol>
        </Stack>
      )}
      {blank > 0 && <Text c="dimmed">{blankCount(blank)}</Text>}
    </PreviewCard>
  );
}

/** The song of the evening. */
export function SongCard({ canzone_url }: Pick<Settings, 'canzone_url'>) {
  const texts = previewCardTexts.song;
  return (
    <PreviewCard
      title={texts.title}
      path="/admin/musica"
      action={canzone_url === null ? texts.configure : previewTexts.edit}
    >
      {canzone_url === null ? (
        <Missing gender="feminine" />
      ) : (
        // A song has no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio className={styles.media} src={canzone_url} controls preload="none" aria-label={texts.player} />
      )}
    </PreviewCard>
  );
}

const CLOSINGS = ['entrambi_si', 'entrambi_no', 'misto'] as const;

/** The three closing phrases of a single trip. */
export function ClosingCard({
  frasi_finali,
  skipped,
}: Pick<Settings, 'frasi_finali'> & { skipped: boolean }) {
  const texts = previewCardTexts.closing;
  const none = CLOSINGS.every((kind) => nonBlank(frasi_finali?.[kind] ?? null) === null);
  return (
    <PreviewCard title={texts.title} path="/admin/frasi-finali" action={none ? texts.add : previewTexts.edit}>
      <Values>
        {CLOSINGS.map((kind) => (
          <Value key={kind} name={texts.both[kind]} gender="feminine">
            {nonBlank(withoutMarkers(frasi_finali?.[kind] ?? ''))}
          </Value>
        ))}
      </Values>
      {skipped && <Text c="dimmed">{texts.skipped}</Text>}
    </PreviewCard>
  );
}
