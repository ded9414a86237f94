import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { formTexts } from '../../../../texts/admin/forms.ts';

/** A failed save: its reason and a retry button. */
export function SaveError({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={formTexts.notSaved}>
      <Group justify="space-between">
        <Text size="sm">{sentence}</Text>
        <Button variant="default" onClick={onRetry}>
          {formTexts.retry}
        </Button>
      </Group>
    </Alert>
  );
}

/** Offers to restore text from an earlier page load. */
export function DraftOffer({ onRestore, onDiscard }: { onRestore: () => void; onDiscard: () => void }) {
  return (
    <Alert color="yellow" icon={<IconHistory aria-hidden />} role="status">
      <Group justify="space-between">
        <Text size="sm">{formTexts.draft.title}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={onRestore}>
            {formTexts.draft.restore}
          </Button>
          <Button variant="subtle" onClick={onDiscard}>
            {formTexts.draft.discard}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
