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

/** Where what is written stands; a change is read aloud. */
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
  /** The form whose button this is, by its id; without one `onSave` is called. */
  form?: string;
  onSave?: () => void;
  saving: boolean;
  blocked?: boolean;
  /** What is still wanting before it can be saved. */
  wanting?: string | null;
};

/** Where saving stands, and «Salva»: what is typed saves itself; who presses has it done at once, and is told. */
export function SaveBar({ state, form, onSave, saving, blocked = false, wanting = null }: SaveBarProps) {
  return (
    <Group gap="sm">
      {/* It may be pressed while a save that came by itself is on its way: then that one is told. */}
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
      {wanting !== null && (
        <Text size="sm" c="dimmed">
          {wanting}
        </Text>
      )}
    </Group>
  );
}
