import { type MantineColor, Progress } from '@mantine/core';
import { wholePercent } from '../../../../texts/admin/formats.ts';

type ShareBarProps = {
  label: string;
  /** From 0 to 1. */
  share: number;
  color?: MantineColor;
  /** True while it progresses. */
  going?: boolean;
};

/** A progress bar. Whole percents only, because the library passes the number to screen readers unchanged. */
export function ShareBar({ label, share, color, going = true }: ShareBarProps) {
  return (
    <Progress.Root size="lg">
      <Progress.Section
        value={wholePercent(share)}
        animated={going}
        aria-label={label}
        {...(color !== undefined && { color })}
      />
    </Progress.Root>
  );
}
