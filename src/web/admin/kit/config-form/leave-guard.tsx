import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { formTexts } from '../../../../texts/admin/forms.ts';

type LeaveGuardProps = {
  /** Is there something unsaved? */
  when: boolean;
  /** Called when it is left behind on purpose. */
  onLeave: () => void;
};

const texts = formTexts.leave;

/** Asks before unsaved text is left behind: in our own words inside the workshop, in the browser's when the tab goes. */
export function LeaveGuard({ when, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [when]);
  const leave = () => {
    onLeave();
    blocker.proceed?.();
  };
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={texts.title}>
      <Stack>
        <Text>{texts.question}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {texts.leave}
          </Button>
          <Button data-autofocus onClick={() => blocker.reset?.()}>
            {texts.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
