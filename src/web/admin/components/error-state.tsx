import { Alert, Button, Group, Text } from '@mantine/core';
import { commonTexts } from '../../../texts/admin/forms.ts';
import { IconAlertTriangle } from '../../ui/icons/icons.tsx';
import { messageOf } from '../failure.ts';

type ErrorStateProps = {
  error: unknown;
  /** The specification's sentence, used if the server sent none. */
  fallback?: string;
  onRetry: () => void;
};

/** The reason of a failed read, with a retry button. */
export function ErrorState({ error, fallback = commonTexts.loadFailed, onRetry }: ErrorStateProps) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
      <Group justify="space-between">
        <Text>{messageOf(error, fallback)}</Text>
        <Button variant="default" onClick={onRetry}>
          {commonTexts.retry}
        </Button>
      </Group>
    </Alert>
  );
}
