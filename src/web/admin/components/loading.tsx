import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { commonTexts } from '../../../texts/admin/common.ts';

/** Stands where something is about to be. `lines`: how many grey lines take its place. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <Stack role="status" gap="md">
      <VisuallyHidden>{commonTexts.loading}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} h={line === 0 ? '2rem' : '1.1rem'} w={line === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  );
}
