import { Alert, Button, Stack } from '@mantine/core';
import { IconArrowLeft, IconWorldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { SiteAddress } from '../../../../contract/admin/address.ts';
import { keysOf } from '../../../../domain/records.ts';
import { onlineTexts as texts, type Way } from '../../../../texts/admin/online.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NotOnline } from '../../components/not-online.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { opensElsewhere, useSiteAddress } from '../../site-address.ts';
import { Check } from './check.tsx';
import { siteName } from './commands.ts';
import { HomeSteps, ServerSteps, TunnelSteps, type WayProps } from './way-steps.tsx';
import { Ways } from './ways.tsx';
import { Wifi } from './wifi.tsx';

/** From where the surprise opens, and the ways to have it open everywhere, one at a time. */
export function Page() {
  const query = useQuery(queries.address.read.queryOptions());
  return (
    <PageFrame {...adminPageTexts['/admin/rete']}>
      <Loaded query={query} loadFailed={texts.loadFailed} shape="cards">
        {(site) => <Online site={site} />}
      </Loaded>
    </PageFrame>
  );
}

function Online({ site }: { site: SiteAddress }) {
  const address = useSiteAddress();
  const way = useWay();
  const [typed, onType] = useState('');
  const name = siteName(typed);
  const isOut = opensElsewhere(address) && address.protocol === 'https:';
  const check = <Check suggested={name === null ? (isOut ? address.origin : '') : `https://${name}`} />;
  if (way !== undefined)
    return (
      <Stack gap="lg">
        <ChosenWay way={way} site={site} typed={typed} onType={onType} />
        {way !== 'wifi' && check}
      </Stack>
    );
  return (
    <Stack gap="lg">
      {isOut ? (
        <>
          <Alert role="note" color="green" icon={<IconWorldCheck aria-hidden />}>
            {texts.public(address.origin)}
          </Alert>
          {check}
        </>
      ) : (
        <NotOnline />
      )}
      <Ways title={isOut ? texts.otherWays : texts.choose} />
    </Stack>
  );
}

/** It stands in the address, so that the browser's own way back leads to the choice. */
function useWay(): Way | undefined {
  const [params] = useSearchParams();
  return keysOf(texts.ways).find((way) => way === params.get('strada'));
}

function ChosenWay({ way, ...props }: WayProps & { way: Way }) {
  const { title, summary } = texts.ways[way];
  return (
    <>
      <Button
        component={Link}
        to={{ search: '' }}
        variant="default"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
      >
        {texts.back}
      </Button>
      <Card title={title} hint={summary}>
        {way === 'server' && <ServerSteps {...props} />}
        {way === 'casa' && <HomeSteps {...props} />}
        {way === 'tunnel' && <TunnelSteps {...props} />}
        {way === 'wifi' && <Wifi site={props.site} />}
      </Card>
    </>
  );
}
