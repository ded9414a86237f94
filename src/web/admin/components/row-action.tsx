import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './row-action.module.css';

type RowActionProps = {
  /** Value of `data-action`, to find the button after its row was removed. */
  name?: 'remove';
  label: string;
  off?: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** An action on a row of a list. Uses `aria-disabled` instead of `disabled`, so that a pressed button keeps the focus. */
export function RowAction({ name, label, off = false, onClick, children }: RowActionProps) {
  return (
    <Tooltip label={label}>
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
          // A moved row loses the focus of its button.
          if (button.isConnected) button.focus();
        }}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
