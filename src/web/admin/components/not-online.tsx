import { Alert, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { reachOf } from '../../../domain/reach.ts';
import { siteAddressTexts } from '../../../texts/admin/site-address.ts';
import { IconWorldOff } from '../../ui/icons/icons.tsx';
import { useSiteAddress } from '../site-address.ts';
import { useSignedIn } from '../use-signed-in.ts';

const { notices: texts } = siteAddressTexts;

/** A notice if the surprise is not reachable from everywhere by https. `leads`: adds a link to the settings. */
export function NotPublicNotice({ hasLink = false }: { hasLink?: boolean }) {
  const { hostname, protocol } = useSiteAddress();
  const reach = reachOf(hostname);
  // The site address is unknown until then.
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
        {hasLink && (
          <Button component={Link} to="/admin/rete" variant="default">
            {texts.lead}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
