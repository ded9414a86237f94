import { Alert, Anchor, Stack } from '@mantine/core';
import { IconWorldCheck, IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { SharingState } from '../../../../contract/admin/sharing.ts';
import { reachOf } from '../../../../domain/reach.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { siteAddressTexts as texts } from '../../../../texts/admin/site-address.ts';
import { queries } from '../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { useSiteAddress } from '../../site-address.ts';
import { useSignedIn } from '../../use-signed-in.ts';
import { Check } from './check.tsx';
import { Helper } from './helper.tsx';
import { Sharing } from './sharing.tsx';

const { notices } = texts;
/** Poll intervals in ms: while the state changes, and otherwise. */
const CHANGING_MS = 1_000;
const STABLE_MS = 10_000;

/** Reachability of the surprise, and the button that shares it. */
export function Page() {
  const [params] = useSearchParams();
  const query = useQuery(
    queries.sharing.read.queryOptions({
      refetchInterval: ({ state: { data } }) =>
        data?.state === 'starting' || data?.state === 'reaching' ? CHANGING_MS : STABLE_MS,
    }),
  );
  return (
    <PageFrame {...adminPageTexts['/admin/rete']}>
      {params.has('server') ? (
        <Helper />
      ) : (
        <Loaded query={query} loadFailed={texts.loadFailed} shape="cards">
          {(sharing) => (
            <Stack gap="lg">
              {sharing.available ? <Sharing sharing={sharing} /> : <OwnAddress />}
              <ToHelper sharing={sharing} />
            </Stack>
          )}
        </Loaded>
      )}
    </PageFrame>
  );
}

/** State of a site with its own address, which needs no sharing. */
function OwnAddress() {
  const address = useSiteAddress();
  const reach = reachOf(address.hostname);
  // The site address is unknown until then.
  if (!useSignedIn().isSuccess) return null;
  if (reach !== 'public' || address.protocol !== 'https:')
    return (
      <Alert
        role="note"
        color="yellow"
        icon={<IconWorldOff aria-hidden />}
        title={reach === 'public' ? notices.plain : notices[reach]}
      >
        {reach === 'public' ? notices.plainDetail : notices.detail}
      </Alert>
    );
  return (
    <>
      <Alert role="note" color="green" icon={<IconWorldCheck aria-hidden />}>
        {texts.public(address.origin)}
      </Alert>
      <Check suggested={address.origin} />
    </>
  );
}

function ToHelper({ sharing: { state } }: { sharing: SharingState }) {
  if (state !== 'off' && state !== 'trouble') return null;
  return (
    <Anchor component={Link} to={{ search: '?server' }} underline="always" py="sm">
      {texts.helper.lead}
    </Anchor>
  );
}
