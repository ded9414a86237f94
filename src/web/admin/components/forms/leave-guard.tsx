import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { formTexts } from '../../../../texts/admin/forms.ts';
import { pageAt } from '../../../../texts/admin/pages.ts';

export type LeaveGuardProps = {
  /** True if something is unsaved. */
  when: boolean;
  /** True while it is being saved; leaving then waits for it. */
  saving: boolean;
  /** Starts saving; null if the values can't be saved. */
  onSave: (() => void) | null;
  /** True if saving has failed or must be confirmed first. */
  needsConfirmation: boolean;
  /** Called when the administrator leaves without saving. */
  onLeave: () => void;
};

const texts = formTexts.leave;
/** A save up to this long shows no dialog, in ms. */
const GRACE_MS = 400;

/**
 * Saves unsaved changes when the page is left. A dialog appears only if saving is impossible or slow. The browser's own dialog
 * appears when the tab closes.
 */
export function LeaveGuard({ when, saving, onSave, needsConfirmation, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when && pageAt(currentLocation.pathname) !== pageAt(nextLocation.pathname),
  );
  const blocked = blocker.state === 'blocked';
  const [waited] = useDebouncedValue(blocked, GRACE_MS);
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [when]);
  // The router throws if it is released twice.
  const left = useRef(false);
  useEffect(() => {
    // The save ended while the dialog was open.
    if (!when && !left.current) blocker.proceed?.();
  }, [when, blocker]);
  useEffect(() => {
    if (blocked && !needsConfirmation) onSave?.();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each attempt to leave
  }, [blocked]);
  // Keeps the text stable while the dialog fades out.
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
