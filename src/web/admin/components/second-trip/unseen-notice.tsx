import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasSecondTrip } from '../../../../domain/content.ts';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import { secondTripUnseenTexts as texts } from '../../../../texts/admin/second-trip.ts';
import { configSource } from '../forms/sources.ts';

/** Pages that can start a second trip. */
const WAYS = ['/admin/second-trip-phrases', '/admin/second-trip-details'] as const;

/** States that this content is not shown without a second trip, with links to start one. `path`: the current page. */
export function UnseenNotice({ path }: { path: AdminPath }) {
  const { data: config } = useQuery(configSource.query);
  if (config === undefined || hasSecondTrip({ config })) return null;
  return (
    <Alert variant="default" title={texts.title} icon={<IconEyeOff aria-hidden />}>
      <Stack gap="sm">
        <Text size="sm">{texts.hint}</Text>
        <Group gap="xs">
          {WAYS.filter((way) => way !== path).map((way) => (
            <Button key={way} component={Link} to={way} variant="default">
              {adminPageTexts[way].title}
            </Button>
          ))}
        </Group>
      </Stack>
    </Alert>
  );
}
