import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDeviceFloppy, IconLoader2, IconPencil } from '@tabler/icons-react';
import { commonTexts } from '../../../texts/admin/common.ts';
import { formTexts } from '../../../texts/admin/forms.ts';

export type SaveStateName = keyof typeof commonTexts.saveStates;

const LOOKS = {
  saved: { color: 'green', icon: IconCheck },
  saving: { color: 'gray', icon: IconLoader2 },
  unsaved: { color: 'yellow', icon: IconPencil },
  conflict: { color: 'red', icon: IconAlertTriangle },
} as const;

/** Save state; screen readers announce a change. */
export function SaveState({ state }: { state: SaveStateName }) {
  const { color, icon: Icon } = LOOKS[state];
  return (
    <span role="status">
      <Badge
        variant="light"
        size="lg"
        tt="none"
        fw={550}
        color={color}
        leftSection={<Icon size={14} aria-hidden />}
      >
        {commonTexts.saveStates[state]}
      </Badge>
    </span>
  );
}

type SaveBarProps = {
  state: SaveStateName;
  /** Id of the form that the button submits; without it, the button calls `onSave`. */
  form?: string;
  onSave?: () => void;
  saving: boolean;
  blocked?: boolean;
  /** Hint about what is missing before saving is possible. */
  blankHint?: string | null;
};

/** Save state and «Salva». Text saves automatically; the button saves at once and confirms it. */
export function SaveBar({ state, form, onSave, saving, blocked = false, blankHint = null }: SaveBarProps) {
  return (
    <Group gap="sm">
      {/* Stays enabled during an automatic save, which then reports its result. */}
      <Button
        {...(form === undefined ? { onClick: onSave } : { type: 'submit', form })}
        size="md"
        disabled={blocked}
        leftSection={
          saving ? (
            <Loader size="1.1em" color="currentColor" aria-hidden />
          ) : (
            <IconDeviceFloppy size={18} aria-hidden />
          )
        }
      >
        {formTexts.save}
      </Button>
      <SaveState state={state} />
      {blankHint !== null && (
        <Text size="sm" c="dimmed">
          {blankHint}
        </Text>
      )}
    </Group>
  );
}
