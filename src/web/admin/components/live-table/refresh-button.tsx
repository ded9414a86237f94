import { useState } from 'react';
import { IconRefresh } from '../../../ui/icons/icons.tsx';
import { BusyButton } from '../working-button.tsx';

type RefreshButtonProps = {
  label: string;
  /** Reads again; never rejects. */
  onRefresh: () => Promise<unknown>;
};

/** Reads the records again. It shows progress only for its own press, not for automatic refetches. */
export function RefreshButton({ label, onRefresh }: RefreshButtonProps) {
  const [working, setWorking] = useState(false);
  const refresh = async () => {
    setWorking(true);
    await onRefresh();
    setWorking(false);
  };
  return (
    <BusyButton
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden />}
      working={working}
      onClick={() => void refresh()}
    >
      {label}
    </BusyButton>
  );
}
