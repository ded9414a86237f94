import { ThemeIcon } from '@mantine/core';
import { deviceTexts } from '../../../../texts/devices.ts';
import type { Device } from '../../../device.ts';
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet } from '../../../ui/icons/icons.tsx';

const ICONS = { phone: IconDeviceMobile, tablet: IconDeviceTablet, desktop: IconDeviceDesktop };

/** Icon of a phone, tablet or computer. */
export function DeviceIcon({ kind }: Pick<Device, 'kind'>) {
  const Icon = ICONS[kind];
  return (
    <ThemeIcon variant="light" size="xl" radius="xl" role="img" aria-label={deviceTexts[kind]}>
      <Icon size={22} aria-hidden />
    </ThemeIcon>
  );
}
