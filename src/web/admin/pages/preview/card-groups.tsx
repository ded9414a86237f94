import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { hasSecondTrip, type Snapshot } from '../../../../domain/content.ts';
import { previewCardTexts as texts } from '../../../../texts/admin/preview.ts';
import type { Settings } from '../../components/evening/evening-data.ts';
import styles from './card-groups.module.css';
import { ClosingCard, PhrasesCard, QuestionsCard, SongCard, TripCard, VideoCard } from './story-cards.tsx';

/** A titled group of cards. */
export function CardGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      <div className={styles.cards}>{children}</div>
    </Stack>
  );
}

type StoryCardsProps = { config: Settings; poster_url: string | null };

export function StoryCards({ config, poster_url }: StoryCardsProps) {
  return (
    <>
      <PhrasesCard texts={texts.prePhrases} path="/admin/frasi" config={config} list="frasi_pre_video" />
      <VideoCard config={config} poster_url={poster_url} />
      <PhrasesCard texts={texts.postPhrases} path="/admin/frasi" part="frasi" config={config} list="frasi" />
      <SongCard canzone_url={config.canzone_url} />
    </>
  );
}

export function FirstTripCards({ snapshot }: { snapshot: Snapshot }) {
  return (
    <>
      <TripCard snapshot={snapshot} viaggio={1} />
      <QuestionsCard snapshot={snapshot} viaggio={1} />
      <ClosingCard frasi_finali={snapshot.config.frasi_finali} skipped={hasSecondTrip(snapshot)} />
    </>
  );
}

export function SecondTripCards({ snapshot }: { snapshot: Snapshot }) {
  const { config } = snapshot;
  return (
    <>
      <PhrasesCard
        texts={texts.betweenPhrases}
        path="/admin/intermediate-phrases"
        config={config}
        list="frasi_tra_viaggi"
      />
      <PhrasesCard
        texts={texts.secondPhrases}
        path="/admin/second-trip-phrases"
        config={config}
        list="frasi_secondo_viaggio"
      />
      <TripCard snapshot={snapshot} viaggio={2} />
      <QuestionsCard snapshot={snapshot} viaggio={2} />
      <PhrasesCard
        texts={texts.finalPhrases}
        path="/admin/second-trip-final-phrases"
        config={config}
        list="frasi_finali_secondo_viaggio"
      />
    </>
  );
}
