import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { reachOf } from '../../../domain/reach.ts';
import { siteAddressTexts } from '../../../texts/admin/site-address.ts';
import { useSiteAddress } from '../site-address.ts';
import { useSignedIn } from '../use-signed-in.ts';

const { notices: texts } = siteAddressTexts;

/** From where the surprise opens, as long as that isn't everywhere and by https; nothing then. `leads`: the way on is shown. */
export function NotPublicNotice({ leads = false }: { leads?: boolean }) {
  const { hostname, protocol } = useSiteAddress();
  const reach = reachOf(hostname);
  // Until then nobody knows whether the site has an address of its own.
  if (!useSignedIn().isSuccess || (reach === 'public' && protocol === 'https:')) return null;
  const isPublic = reach === 'public';
  return (
    <Alert
      role="note"
      color="yellow"
      icon={<IconWorldOff aria-hidden />}
      title={isPublic ? texts.plain : texts[reach]}
    >
      <Stack gap="sm" align="flex-start">
        <Text>{isPublic ? texts.plainDetail : texts.detail}</Text>
        {leads && (
          <Button component={Link} to="/admin/rete" variant="default">
            {texts.lead}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
