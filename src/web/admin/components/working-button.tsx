import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';

type WorkingButtonProps = Omit<ButtonProps, 'loading'> & {
  /** True while the button's action is running. */
  working: boolean;
  type?: 'button' | 'submit';
  onClick?: () => void;
  'aria-label'?: string;
  children: ReactNode;
};

/**
 * A button that shows a spinner while working, and ignores presses. It is not disabled as by the library's `loading`, which would
 * lose the focus.
 */
export function BusyButton({ working, type = 'button', onClick, leftSection, ...props }: WorkingButtonProps) {
  const pressed = (event: MouseEvent) => {
    if (working) event.preventDefault();
    else onClick?.();
  };
  const spinner = <Loader size="1.1em" color="currentColor" aria-hidden />;
  return (
    <Button
      {...props}
      type={type}
      aria-disabled={working}
      leftSection={working ? spinner : leftSection}
      onClick={pressed}
    />
  );
}
