import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { hasSecondTrip } from '../../../../domain/content.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { previewCardTexts, previewTexts } from '../../../../texts/admin/preview.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { StartCard } from '../../rehearsal/start-card.tsx';
import { CardGroup, FirstTripCards, SecondTripCards, StoryCards } from './card-groups.tsx';
import { FilmStrip } from './film-strip.tsx';
import { gapsOf } from './gaps.ts';
import { GapsAlert } from './gaps-alert.tsx';
import { type PreviewData, usePreviewData } from './preview-data.ts';
import { EveningCard, NotificationsCard } from './settings-cards.tsx';

/** «Anteprima Configurazione» (spec 2): the whole surprise at one glance, as it is configured and as it will be seen. */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/preview'].title}>
      <Loaded query={usePreviewData()} loadFailed={previewTexts.loadFailed} lines={8}>
        {(data) => <Preview {...data} />}
      </Loaded>
    </PageFrame>
  );
}

function Preview({ settings, snapshot }: PreviewData) {
  const { groups } = previewTexts;
  return (
    <>
      <GapsAlert gaps={gapsOf(settings)} />
      <StartCard />
      <FilmStrip snapshot={snapshot} />
      <CardGroup title={groups.story}>
        <StoryCards config={settings} poster_url={snapshot.poster_url} />
      </CardGroup>
      <CardGroup title={groups.first}>
        <FirstTripCards snapshot={snapshot} />
      </CardGroup>
      {hasSecondTrip(snapshot) ? (
        <CardGroup title={groups.second}>
          <SecondTripCards snapshot={snapshot} />
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
    <Button component={Link} to="/admin/second-trip-phrases" variant="default">
      {add}
    </Button>
  );
  return <EmptyState title={title} hint={hint} action={action} />;
}
