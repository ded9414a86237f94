import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Hindrance, Remaking } from '../../../../contract/admin/media-work.ts';
import { levelTexts as texts } from '../../../../texts/admin/loudness.ts';
import { errorSentences } from '../../../../texts/errors.ts';
import { ShareBar } from './share-bar.tsx';

/** What a page shows of a kept file that is made anew. */

/** While it is worked on it is asked this often how far it is, in ms. */
const LOOK_AGAIN_MS = 1_000;

/** For a query: asks again as long as it is under way. */
export const whileWorking = ({ state }: { state: { data?: Remaking | undefined } }) =>
  state.data?.state === 'working' ? LOOK_AGAIN_MS : false;

/** Another file is in its place then. */
export function useWhenOver(state: Remaking['state'] | undefined, over: () => void): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'working' && state === 'idle') over();
    before.current = state;
  });
}

/** How far it is. What changes often is not read aloud. */
export function RemakingBar({ label, share }: { label: string; share: number }) {
  return (
    <Stack gap={4} w="100%">
      <ShareBar label={label} share={share} />
      <Text size="sm">{texts.share(share)}</Text>
    </Stack>
  );
}

/** It couldn't go on. */
export function RemakingStopped({ codice, failed }: { codice: Hindrance; failed: ReactNode }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} p="xs" role="alert">
      {codice === 'UNAVAILABLE' ? failed : errorSentences[codice]}
    </Alert>
  );
}
