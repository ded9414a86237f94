import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLoader2, IconPencil } from '@tabler/icons-react';
import { shellTexts } from '../../../texts/admin/shell.ts';

export type SaveStateName = keyof typeof shellTexts.saveStates;

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
        {shellTexts.saveStates[state]}
      </Badge>
    </span>
  );
}
