import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { formTexts } from '../../../../texts/admin/forms.ts';

type LeaveGuardProps = {
  /** Is there something unsaved? */
  when: boolean;
  /** Is it on its way already? Then leaving waits for it. */
  saving?: boolean;
  /** Called when it is left behind on purpose. */
  onLeave: () => void;
};

const texts = formTexts.leave;

/** Asks before unsaved text is left behind: in our own words inside the workshop, in the browser's when the tab goes. */
export function LeaveGuard({ when, saving = false, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [when]);
  useEffect(() => {
    // Saved while it was being asked: there is nothing left to lose.
    if (!when) blocker.proceed?.();
  }, [when, blocker]);
  // While the dialog fades out after the save it goes on saying so.
  const waits = saving || !when;
  const leave = () => {
    onLeave();
    blocker.proceed?.();
  };
  return (
    <Modal
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={waits ? texts.savingTitle : texts.title}
    >
      <Stack>
        <Text role="status">{waits ? texts.saving : texts.question}</Text>
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
