import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';

type WorkingButtonProps = Omit<ButtonProps, 'loading'> & {
  /** What it was pressed for is on its way. */
  working: boolean;
  type?: 'button' | 'submit';
  onClick?: () => void;
  'aria-label'?: string;
  children: ReactNode;
};

/**
 * A button that turns while it works, and takes no second press. It is not switched off meanwhile, as the library's `loading` does: the
 * keyboard would lose its place.
 */
export function BusyButton({ working, type = 'button', onClick, leftSection, ...props }: WorkingButtonProps) {
  const pressed = (event: MouseEvent) => {
    if (working) event.preventDefault();
    else onClick?.();
  };
  const turning = <Loader size="1.1em" color="currentColor" aria-hidden />;
  return (
    <Button
      {...props}
      type={type}
      aria-disabled={working}
      leftSection={working ? turning : leftSection}
      onClick={pressed}
    />
  );
}
