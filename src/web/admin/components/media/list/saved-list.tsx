import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media.ts';
import { commonTexts } from '../../../../../texts/admin/forms.ts';
import { savedTexts } from '../../../../../texts/admin/media.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { queries } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { EmptyState } from '../../empty-state.tsx';
import { ErrorState } from '../../error-state.tsx';
import { Loading } from '../../loading.tsx';
import { useRestoreFocus } from '../../use-focus-home.ts';
import { JoinTickets } from './join/join-tickets.tsx';
import { SavedCard } from './saved-card.tsx';
import styles from './saved-list.module.css';

type SavedListProps = {
  slot: SlotName;
  /** If true, a failed read is only logged (spec 8, second-trip details). */
  failsQuietly?: boolean;
};

/** Drawing of the empty list of each kind. */
const DRAWN = { video: 'film', song: 'song', image: 'picture', tickets: 'ticket' } as const;

/** The files of a slot, newest first. */
export function SavedList({ slot, failsQuietly = false }: SavedListProps) {
  const texts = slotTexts[slot];
  const id = useId();
  const { data, error, refetch } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  useEffect(() => {
    if (error === null) return;
    if (failsQuietly) console.warn(savedTexts.listUnavailable, error);
    else toastError(messageOf(error, texts.loadFailed));
  }, [error, failsQuietly, texts]);
  const section = useRestoreFocus<HTMLDivElement>(data?.length);
  const retry = () => void refetch();
  return (
    <Stack ref={section} tabIndex={-1} component="section" aria-labelledby={id} gap="sm">
      <Title order={3} size="h4" id={id}>
        {texts.listTitle}
      </Title>
      {error !== null && failsQuietly && (
        <Group gap="xs">
          <Text c="dimmed">{savedTexts.listUnavailable}</Text>
          <Button variant="subtle" size="compact-sm" onClick={retry}>
            {commonTexts.retry}
          </Button>
        </Group>
      )}
      {error !== null && !failsQuietly && (
        <ErrorState error={error} fallback={texts.loadFailed} onRetry={retry} />
      )}
      {data === undefined && error === null && <Loading shape="pictures" count={1} />}
      {data?.length === 0 && (
        <EmptyState drawing={DRAWN[MEDIA_SLOTS[slot].kind]} title={texts.empty} hint={texts.emptyHint} />
      )}
      {data !== undefined && <JoinTickets slot={slot} items={data} />}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.list}>
          {data.map((item) => (
            <SavedCard key={item.id} slot={slot} item={item} />
          ))}
        </ul>
      )}
    </Stack>
  );
}
