import { Alert, Anchor, Button, List, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { hasSecondTrip, showsSecondTrip } from '../../../../domain/content.ts';
import { requiredToPlay } from '../../../../domain/readiness.ts';
import { type ReadinessItem, reasonTarget } from '../../../../domain/readiness-reasons.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { previewCardTexts, previewTexts } from '../../../../texts/admin/preview.ts';
import { readinessSentences } from '../../../../texts/admin/readiness.ts';
import { IconAlertTriangle } from '../../../ui/icons/icons.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type EveningData, type Settings, useEveningData } from '../../components/evening/evening-data.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { StartCard } from '../../rehearsal/start-card.tsx';
import styles from './card-groups.module.css';
import { FilmStrip } from './film-strip.tsx';
import {
  ClosingCard,
  EveningCard,
  NotificationsCard,
  PhrasesCard,
  QuestionsCard,
  SongCard,
  TripCard,
  VideoCard,
} from './story-cards.tsx';

/** «Anteprima Configurazione» (spec 2): the whole surprise, as configured and as the visitor will see it. */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/preview'].title}>
      <Loaded query={useEveningData()} loadFailed={previewTexts.loadFailed} shape="cards">
        {(data) => <Preview {...data} />}
      </Loaded>
    </PageFrame>
  );
}

function Preview({ settings, snapshot }: EveningData) {
  const { groups } = previewTexts;
  return (
    <>
      <GapsAlert gaps={gapsOf(settings)} />
      <StartCard />
      <FilmStrip snapshot={snapshot} />
      <CardGroup title={groups.story}>
        <PhrasesCard list="frasi_pre_video" config={settings} />
        <VideoCard config={settings} poster_url={snapshot.poster_url} />
        <PhrasesCard list="frasi" config={settings} />
        <SongCard canzone_url={settings.canzone_url} />
      </CardGroup>
      <CardGroup title={groups.first}>
        <TripCard snapshot={snapshot} viaggio={1} />
        <QuestionsCard snapshot={snapshot} viaggio={1} />
        <ClosingCard frasi_finali={snapshot.config.frasi_finali} skipped={showsSecondTrip(snapshot)} />
      </CardGroup>
      {hasSecondTrip(snapshot) ? (
        <CardGroup title={groups.second}>
          <PhrasesCard list="frasi_tra_viaggi" config={settings} />
          <PhrasesCard list="frasi_secondo_viaggio" config={settings} />
          <TripCard snapshot={snapshot} viaggio={2} />
          <QuestionsCard snapshot={snapshot} viaggio={2} />
          <PhrasesCard list="frasi_finali_secondo_viaggio" config={settings} />
        </CardGroup>
      ) : (
        <NoSecondTrip />
      )}
      <CardGroup title={groups.settings}>
        <EveningCard config={settings} />
        <NotificationsCard config={settings} />
      </CardGroup>
    </>
  );
}

function NoSecondTrip() {
  const { title, hint, add } = previewCardTexts.noSecondTrip;
  const action = (
    <Button component={Link} to="/admin/second-trip-details" variant="default">
      {add}
    </Button>
  );
  return <EmptyState drawing="trip" title={title} hint={hint} action={action} />;
}

const GAPS = ['main_video', 'post_phrases'] as const;

/** Returns the missing required items (spec 2 «Preview»): the main video, and a phrase after it. */
function gapsOf(config: Settings): ReadinessItem[] {
  const present = requiredToPlay(config);
  return GAPS.filter((id) => present[id] === false).map((id) => ({
    id,
    state: 'missing',
    page: reasonTarget(id).page,
  }));
}

/** Warns about an incomplete configuration, with a link for each gap. */
function GapsAlert({ gaps }: { gaps: readonly ReadinessItem[] }) {
  if (gaps.length === 0) return null;
  return (
    <Alert color="yellow" title={previewTexts.incomplete} icon={<IconAlertTriangle aria-hidden />}>
      <Text>{previewTexts.incompleteHint}</Text>
      <List mt="xs">
        {gaps.map(({ id, page }) => (
          <List.Item key={id}>
            <Anchor
              component={Link}
              to={{ pathname: page, hash: reasonTarget(id).part ?? '' }}
              c="inherit"
              underline="always"
              display="inline-flex"
              mih="2.75rem"
              style={{ alignItems: 'center' }}
            >
              {readinessSentences[id].lacks}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** A titled group of cards. */
function CardGroup({ title, children }: { title: string; children: ReactNode }) {
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
