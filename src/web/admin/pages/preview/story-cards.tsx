import { Anchor, Stack, Text } from '@mantine/core';
import type { Configuration, PhraseList } from '../../../../domain/configuration.ts';
import {
  displaySeconds,
  imageSeconds,
  phraseSeconds,
  type Snapshot,
  shownPhrases,
  tripOf,
  type Viaggio,
} from '../../../../domain/content.ts';
import { DEFAULT_TEXTS } from '../../../../domain/limits.ts';
import { withoutMarkers } from '../../../../domain/phrases.ts';
import type { AdminPath } from '../../../../texts/admin/pages.ts';
import {
  blankCount,
  phraseCount,
  previewCardTexts,
  previewTexts,
  secondsText,
  speedText,
} from '../../../../texts/admin/preview.ts';
import { longDay } from '../../../../texts/dates.ts';
import { dayAndHour } from '../../../../texts/opening-time.ts';
import { thumbnailOf } from '../../../scenes/sized-picture.ts';
import type { Settings } from '../../components/evening/evening-data.ts';
import styles from './preview-card.module.css';
import { CardPart, Missing, nonBlank, PreviewCard, Value, Values } from './preview-card.tsx';

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

/** Name, action and page of each list. */
const PHRASES: Record<PhraseList, { title: string; add: string; path: AdminPath }> = {
  frasi_pre_video: { ...previewCardTexts.prePhrases, path: '/admin/frasi' },
  frasi: { ...previewCardTexts.postPhrases, path: '/admin/frasi' },
  frasi_tra_viaggi: { ...previewCardTexts.betweenPhrases, path: '/admin/intermediate-phrases' },
  frasi_secondo_viaggio: { ...previewCardTexts.secondPhrases, path: '/admin/second-trip-phrases' },
  frasi_finali_secondo_viaggio: {
    ...previewCardTexts.finalPhrases,
    path: '/admin/second-trip-final-phrases',
  },
};

/** A phrase list: number, duration and texts. */
export function PhrasesCard({ config, list }: { config: Configuration; list: PhraseList }) {
  const { title, add, path } = PHRASES[list];
  const shown = shownPhrases(config[list]);
  const blank = config[list].length - shown.length;
  const seconds = phraseSeconds(config.durata_frase_secondi);
  const exact = config.frasi_secondi_esatti.includes(list);
  const longer = shown.some((frase) => displaySeconds(frase, seconds, exact) > seconds);
  return (
    <PreviewCard
      title={title}
      path={path}
      part={list === 'frasi' ? list : ''}
      action={shown.length === 0 ? add : previewTexts.edit}
    >
      {shown.length === 0 ? (
        <Missing gender="feminine" />
      ) : (
        <Stack gap="xs">
          <Text fw={600}>{phraseCount(shown.length, seconds, longer)}</Text>
          {/* Focusable, so that the keyboard can scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <ol className={styles.phrases} tabIndex={0} aria-label={title}>
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

const texts = previewCardTexts.trip;

/** Dates, tickets and picture of a trip (spec 2 «Preview»). */
export function TripCard({ snapshot, viaggio }: { snapshot: Snapshot; viaggio: Viaggio }) {
  const { config } = snapshot;
  const first = viaggio === 1;
  const { immagine_destinazione_url, biglietti_url } = tripOf(snapshot, viaggio);
  return (
    <PreviewCard title={texts.title[viaggio]} path={first ? '/admin/immagine' : '/admin/second-trip-details'}>
      <Values>
        <Value name={texts.departure} gender="feminine">
          {nonBlank(first ? config.data_partenza : config.data_partenza_2)}
        </Value>
        <Value name={texts.return} gender="feminine">
          {nonBlank(first ? config.data_ritorno : config.data_ritorno_2)}
        </Value>
        <Value name={texts.tickets}>
          {biglietti_url === null ? null : (
            <Anchor
              href={biglietti_url}
              target="_blank"
              rel="noreferrer"
              underline="always"
              className={styles.way}
            >
              {texts.openTickets}
            </Anchor>
          )}
        </Value>
        <Value name={texts.image} gender="feminine">
          {immagine_destinazione_url === null ? null : (
            <img
              className={styles.image}
              src={thumbnailOf(immagine_destinazione_url)}
              alt={texts.imageAlt}
              loading="lazy"
            />
          )}
        </Value>
      </Values>
      {first ? <FirstTexts config={config} /> : <SecondTexts config={config} />}
    </PreviewCard>
  );
}

function SecondTexts({ config }: Pick<Snapshot, 'config'>) {
  return (
    <Values>
      <Value name={texts.destinationTitle}>{nonBlank(config.titolo_destinazione_2)}</Value>
      <Value name={texts.tripTitle}>{nonBlank(config.titolo_viaggio_2)}</Value>
      <Value name={texts.instructions} gender="feminine">
        {nonBlank(config.testo_istruzioni_biglietti_2)}
      </Value>
    </Values>
  );
}

/** Texts of the first trip, which have separate pages. */
function FirstTexts({ config }: Pick<Snapshot, 'config'>) {
  return (
    <>
      <CardPart title={texts.texts} path="/admin/testi-destinazione">
        <Value name={texts.destinationTitle}>{nonBlank(config.titolo_destinazione)}</Value>
        <Value name={texts.tripTitle}>{nonBlank(config.titolo_viaggio)}</Value>
        <Value name={texts.imageSeconds}>
          {secondsText(imageSeconds(config.durata_immagine_destinazione_secondi))}
        </Value>
      </CardPart>
      <CardPart title={texts.instructions} path="/admin/ticket-instruction">
        <Value name={texts.instructionText}>{nonBlank(config.testo_istruzioni_biglietti)}</Value>
      </CardPart>
    </>
  );
}

/** The two questions of a trip, or a notice if there are none. */
export function QuestionsCard({ snapshot, viaggio }: { snapshot: Snapshot; viaggio: Viaggio }) {
  const { domande } = tripOf(snapshot, viaggio);
  const labels = previewCardTexts.questions;
  return (
    <PreviewCard
      title={labels.title[viaggio]}
      path={viaggio === 1 ? '/admin/checkbox' : '/admin/second-trip-checkbox'}
      action={labels.edit}
    >
      {domande === null ? (
        <Text>{labels.none}</Text>
      ) : (
        <Values>
          <Value name={labels.first}>{withoutMarkers(domande.domanda_1)}</Value>
          <Value name={labels.second}>{withoutMarkers(domande.domanda_2)}</Value>
        </Values>
      )}
    </PreviewCard>
  );
}

/** Channels of the notifications; the token is masked. */
export function NotificationsCard({ config }: { config: Settings }) {
  const labels = previewCardTexts.notifications;
  return (
    <PreviewCard title={labels.title} path="/admin/notifiche" action={previewTexts.edit}>
      <Values>
        <Value name={labels.token}>{config.telegram_bot_token_masked}</Value>
        <Value name={labels.chat}>{config.telegram_chat_id}</Value>
        <Value name={labels.email} gender="feminine">
          {config.email_to}
        </Value>
      </Values>
    </PreviewCard>
  );
}

/** Settings of the evening. */
export function EveningCard({ config }: { config: Settings }) {
  const labels = previewCardTexts.evening;
  const { data_laurea } = config;
  return (
    <PreviewCard title={labels.title} path="/admin/serata" action={previewTexts.edit}>
      <Values>
        <Value name={labels.graduation} gender="feminine">
          {data_laurea && longDay(data_laurea)}
        </Value>
        <Value name={labels.opening} gender="feminine">
          {config.opens_at && dayAndHour(config.opens_at, undefined, 'numeric')}
        </Value>
        <Value name={labels.contact}>{nonBlank(config.contatto)}</Value>
      </Values>
    </PreviewCard>
  );
}
