import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasSecondTrip } from '../../../../domain/content.ts';
import { finalPhrasesTexts, secondTripUnseenTexts } from '../../../../texts/admin/forms.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { IconEyeOff } from '../../../ui/icons/icons.tsx';
import { configSource } from '../forms/sources.ts';

const NOTICES = {
  /** On the second trip's pages while there is none. */
  second: { ...secondTripUnseenTexts, to: '/admin/second-trip-details' },
  /** On the first trip's closing phrases, which a second trip replaces (spec 4). */
  closing: { ...finalPhrasesTexts.unseen, to: '/admin/second-trip-final-phrases' },
} as const;

/** States that the texts of this page are not shown, with a link to the page that decides it. */
export function UnseenNotice({ of }: { of: keyof typeof NOTICES }) {
  const { data: config } = useQuery(configSource.query);
  if (config === undefined || hasSecondTrip({ config }) === (of === 'second')) return null;
  const { title, hint, to } = NOTICES[of];
  const isUnset = of === 'second' && config.secondo_viaggio === null;
  return (
    <Alert variant="default" title={title} icon={<IconEyeOff aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{isUnset ? secondTripUnseenTexts.unset : hint}</Text>
        <Button component={Link} to={to} variant="default">
          {adminPageTexts[to].title}
        </Button>
      </Stack>
    </Alert>
  );
}
