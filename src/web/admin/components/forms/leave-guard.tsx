import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { formTexts } from '../../../../texts/admin/forms.ts';
import { pageAt } from '../../../../texts/admin/pages.ts';

export type LeaveGuardProps = {
  /** Is there something unsaved? */
  when: boolean;
  /** Is it on its way already? Then leaving waits for it. */
  saving: boolean;
  /** Sends it on its way; null where it can't be saved as it is. */
  onSave: (() => void) | null;
  /** Has saving failed, or would it do what nobody asked for? Then it is asked about first. */
  asks: boolean;
  /** Called when it is left behind on purpose. */
  onLeave: () => void;
};

const texts = formTexts.leave;
/** What is saved sooner is left without a word, in milliseconds. */
const AT_ONCE_MS = 400;

/**
 * Leaving saves what is unsaved. Only where that can't be done, or takes its time, it is told: in our own words inside the administration, in
 * the browser's when the tab goes.
 */
export function LeaveGuard({ when, saving, onSave, asks, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when && pageAt(currentLocation.pathname) !== pageAt(nextLocation.pathname),
  );
  const blocked = blocker.state === 'blocked';
  const [waited] = useDebouncedValue(blocked, AT_ONCE_MS);
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [when]);
  // The router refuses to let somebody go twice.
  const left = useRef(false);
  useEffect(() => {
    // Saved while it was being asked: there is nothing left to lose.
    if (!when && !left.current) blocker.proceed?.();
  }, [when, blocker]);
  useEffect(() => {
    if (blocked && !asks) onSave?.();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each attempt to leave
  }, [blocked]);
  // While the dialog fades out after the save it goes on saying so.
  const waits = saving || !when;
  const leave = () => {
    left.current = true;
    onLeave();
    blocker.proceed?.();
  };
  return (
    <Modal
      opened={blocked && (waited || !waits)}
      onClose={() => blocker.reset?.()}
      title={waits ? texts.savingTitle : texts.title}
    >
      <Stack>
        <Text role="status">{waits ? texts.saving : texts.question}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            {texts.stay}
          </Button>
          <Button variant="default" onClick={leave}>
            {texts.leave}
          </Button>
          {!waits && onSave !== null && (
            <Button data-autofocus onClick={onSave}>
              {texts.saveAndLeave}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
