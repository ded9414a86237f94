import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { accountTexts } from '../../../../texts/admin/account.ts';
import { ago } from '../../../../texts/admin/times.ts';
import { deviceOf } from '../../../device.ts';
import { type Device, endOtherSessions, listDevices } from '../../api-sign-in.ts';
import { Card } from '../../components/card.tsx';
import { DeviceIcon } from '../../components/live-table/device-icon.tsx';
import { useNow } from '../../components/live-table/use-now.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useRestoreFocus } from '../../components/use-focus-home.ts';
import { AccountForm } from './account-form.tsx';

const texts = accountTexts.devices;
/** Update interval of relative times such as «3 minuti fa», in ms. */
const UPDATE_MS = 30_000;

export const DEVICES_KEY = ['devices'];

/** Devices with a running session, and a form that ends the others. */
export function Devices() {
  const queryClient = useQueryClient();
  const query = useQuery({ queryKey: DEVICES_KEY, queryFn: readDevices });
  const list = useRestoreFocus<HTMLDivElement>(query.data?.length);
  const shown = useRef<HTMLDivElement>(null);
  // Keeps the height, so that the page does not move below the finger that pressed.
  const ended = () => {
    if (shown.current !== null) shown.current.style.minHeight = `${shown.current.offsetHeight}px`;
    void queryClient.invalidateQueries({ queryKey: DEVICES_KEY });
  };
  return (
    <Card title={texts.title} hint={texts.hint}>
      <Loaded query={query} loadFailed={texts.loadFailed} shape="rows" count={2}>
        {(devices) => (
          <Stack gap="md" ref={shown}>
            <Stack
              component="ul"
              ref={list}
              tabIndex={-1}
              gap="sm"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
              aria-label={texts.list}
            >
              {devices.map((device) => (
                <OneDevice key={device.id} device={device} />
              ))}
            </Stack>
            {devices.some(({ current }) => !current) ? (
              <AccountForm submit={texts.submit} done={texts.ended} send={endOtherSessions} onDone={ended} />
            ) : (
              <Text c="dimmed">{texts.alone}</Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function OneDevice({ device: { user_agent, current, used_at } }: { device: Device }) {
  const now = useNow(UPDATE_MS);
  const { kind, words } = deviceOf(user_agent);
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <DeviceIcon kind={kind} />
      <div>
        <Group gap="xs">
          <Text fw={600}>{words}</Text>
          {current && (
            <Badge variant="light" color="green" tt="none">
              {texts.current}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {texts.used(current ? ago(now.toISOString(), now) : ago(used_at, now))}
        </Text>
      </div>
    </Group>
  );
}

/** @throws {ApiError} if the list can't be read */
async function readDevices(): Promise<Device[]> {
  const reply = await listDevices();
  if (reply.ok) return reply.value;
  throw reply.failure;
}
