import { type MantineColor, Progress } from '@mantine/core';
import { wholePercent } from '../../../../texts/admin/amounts.ts';

type ShareBarProps = {
  label: string;
  /** From 0 to 1. */
  share: number;
  color?: MantineColor;
  /** It is going on at the moment. */
  going?: boolean;
};

/** How far something is. The library reads the number out as it is, so it has no decimals. */
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
