import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SessionRecord } from '../../../../contract/admin/sessions.ts';
import { sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { deviceOf } from '../../kit/live-table/device.ts';
import { DeviceIcon } from '../../kit/live-table/device-icon.tsx';
import styles from './session-card.module.css';

type SessionCardProps = {
  session: SessionRecord;
  /** Whose code it is; undefined while that isn't known. */
  nome: string | undefined;
  children: ReactNode;
};

/** One visit: with what, with which code, and whether it is open. */
export function SessionCard({
  session: { user_agent, token_value, is_active },
  nome,
  children,
}: SessionCardProps) {
  const { kind, words } = deviceOf(user_agent);
  return (
    <Paper component="article" withBorder p="md" h="100%">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="sm" wrap="nowrap" className={styles.who}>
            <DeviceIcon kind={kind} />
            <div className={styles.who}>
              <Text fw={600} className={styles.words}>
                {words}
              </Text>
              <Text size="sm" className={styles.words}>
                <span className={styles.token}>{token_value}</span>
                {nome !== undefined && ` · ${nome}`}
              </Text>
            </div>
          </Group>
          <Badge color={is_active ? 'green' : 'gray'} variant="light" className={styles.badge}>
            {is_active ? sessionsTexts.online : sessionsTexts.offline}
          </Badge>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
