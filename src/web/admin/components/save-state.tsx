import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { commonTexts, formTexts } from '../../../texts/admin/forms.ts';
import {
  IconAlertTriangle,
  IconCheck,
  IconDeviceFloppy,
  IconLoader2,
  IconPencil,
} from '../../ui/icons/icons.tsx';

export type SaveStateName = keyof typeof commonTexts.saveStates;

const LOOKS = {
  saved: { color: 'green', icon: IconCheck },
  pending: { color: 'gray', icon: IconLoader2 },
  saving: { color: 'gray', icon: IconLoader2 },
  unsaved: { color: 'yellow', icon: IconPencil },
  conflict: { color: 'red', icon: IconAlertTriangle },
} as const;

type SaveBarProps = {
  state: SaveStateName;
  /** Id of the form that the button submits; or else the button calls `onSave`. With neither there is no button. */
  form?: string | undefined;
  onSave?: (() => void) | undefined;
  blocked?: boolean;
  /** Hint about what is missing before saving is possible. */
  blankHint?: string | null;
};

/**
 * Save state, announced by screen readers, and «Salva» on the specification's pages that have it. Text saves automatically; the
 * button saves at once and confirms it. It says «Salvato» while there is nothing to save, and then only confirms.
 */
export function SaveBar({ state, form, onSave, blocked = false, blankHint = null }: SaveBarProps) {
  const hasButton = form !== undefined || onSave !== undefined;
  const { color, icon: Icon } = LOOKS[state];
  const label = commonTexts.saveStates[state];
  const isDone = state === 'saved' && !blocked;
  return (
    <Group gap="sm" role="status">
      {hasButton && (
        // Stays enabled during an automatic save, which then reports its result.
        <Button
          {...(form === undefined ? { onClick: onSave } : { type: 'submit', form })}
          size="md"
          variant={isDone ? 'default' : 'filled'}
          disabled={blocked}
          leftSection={
            state === 'saving' ? (
              <Loader size="1.1em" color="currentColor" aria-hidden />
            ) : isDone ? (
              <IconCheck size={18} aria-hidden />
            ) : (
              <IconDeviceFloppy size={18} aria-hidden />
            )
          }
        >
          {isDone ? label : formTexts.save}
        </Button>
      )}
      {!(hasButton && state === 'saved') && (
        <Badge
          variant="light"
          size="lg"
          tt="none"
          fw={550}
          color={color}
          leftSection={<Icon size={14} aria-hidden />}
        >
          {label}
        </Badge>
      )}
      {blankHint !== null && (
        <Text size="sm" c="dimmed">
          {blankHint}
        </Text>
      )}
    </Group>
  );
}
