import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { hasSecondTrip, phraseSeconds, type Snapshot } from '../../../../domain/content.ts';
import { previewCardTexts as texts } from '../../../../texts/admin/preview.ts';
import styles from './card-groups.module.css';
import type { Settings } from './preview-data.ts';
import { ClosingCard, PhrasesCard, SongCard, VideoCard } from './story-cards.tsx';
import { QuestionsCard, TripCard } from './trip-cards.tsx';

/** Cards that belong together. */
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
  const seconds = phraseSeconds(config.durata_frase_secondi);
  return (
    <>
      <PhrasesCard
        texts={texts.prePhrases}
        path="/admin/frasi"
        frasi={config.frasi_pre_video}
        seconds={seconds}
      />
      <VideoCard config={config} poster_url={poster_url} />
      <PhrasesCard
        texts={texts.postPhrases}
        path="/admin/frasi"
        part="frasi"
        frasi={config.frasi}
        seconds={seconds}
      />
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
  const seconds = phraseSeconds(config.durata_frase_secondi);
  return (
    <>
      <PhrasesCard
        texts={texts.betweenPhrases}
        path="/admin/intermediate-phrases"
        frasi={config.frasi_tra_viaggi}
        seconds={seconds}
      />
      <PhrasesCard
        texts={texts.secondPhrases}
        path="/admin/second-trip-phrases"
        frasi={config.frasi_secondo_viaggio}
        seconds={seconds}
      />
      <TripCard snapshot={snapshot} viaggio={2} />
      <QuestionsCard snapshot={snapshot} viaggio={2} />
      <PhrasesCard
        texts={texts.finalPhrases}
        path="/admin/second-trip-final-phrases"
        frasi={config.frasi_finali_secondo_viaggio}
        seconds={seconds}
      />
    </>
  );
}
