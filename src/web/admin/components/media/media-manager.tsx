import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { SlotName } from '../../../../domain/media-slots.ts';
import { slotTexts } from '../../../../texts/admin/slots.ts';
import { UploadArea } from './choose/upload-area.tsx';
import { SavedList } from './list/saved-list.tsx';

type MediaManagerProps = {
  slot: SlotName;
  /** A list that can't be read is only logged (spec 8, second-trip details). */
  failsQuietly?: boolean;
  /** What stands between the new file and the saved ones. */
  children?: ReactNode;
};

/** Everything about the files of a slot: a new one comes in, the saved ones are used and deleted. */
export function MediaManager({ slot, failsQuietly = false, children }: MediaManagerProps) {
  const id = useId();
  return (
    <Stack component="section" aria-labelledby={id} gap="lg">
      <Title order={2} size="h3" id={id}>
        {slotTexts[slot].title}
      </Title>
      <UploadArea slot={slot} />
      {children}
      <SavedList slot={slot} failsQuietly={failsQuietly} />
    </Stack>
  );
}
