import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './row-action.module.css';

type RowActionProps = {
  /** What it is found by when its row is gone. */
  name?: 'remove';
  label: string;
  off?: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** What can be done to a row of an order. `aria-disabled` and not `disabled`: the button that was just pressed keeps the keyboard's focus. */
export function RowAction({ name, label, off = false, onClick, children }: RowActionProps) {
  return (
    <ActionIcon
      aria-label={label}
      data-action={name}
      aria-disabled={off}
      className={off ? styles.off : undefined}
      variant="subtle"
      color="gray"
      size={44}
      onClick={(event) => {
        if (off) return;
        const button = event.currentTarget;
        onClick();
        // A row that changes its place takes the focus of its button along.
        if (button.isConnected) button.focus();
      }}
    >
      {children}
    </ActionIcon>
  );
}
