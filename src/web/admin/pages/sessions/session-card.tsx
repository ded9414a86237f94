import { Badge, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SessionRecord } from '../../../../contract/admin/logs.ts';
import { capabilityLabels, sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { deviceOf } from '../../../device.ts';
import { DeviceIcon } from '../../components/live-table/device-icon.tsx';
import styles from './session-card.module.css';

type SessionCardProps = {
  session: SessionRecord;
  /** Name of the code; undefined while unknown. */
  nome: string | undefined;
  children: ReactNode;
};

/** A visit: its device, code and state. */
export function SessionCard({
  session: { user_agent, token_value, is_active, capabilities },
  nome,
  children,
}: SessionCardProps) {
  const { kind, words } = deviceOf(user_agent);
  return (
    <Paper component="article" withBorder p="md" h="100%">
      <Stack gap="sm">
        <div className={styles.head}>
          <DeviceIcon kind={kind} />
          <Text fw={600} className={styles.words}>
            {words}
          </Text>
          <Badge color={is_active ? 'green' : 'gray'} variant="light" className={styles.badge}>
            {is_active ? sessionsTexts.online : sessionsTexts.offline}
          </Badge>
          <Text size="sm" className={styles.whose}>
            <span className={styles.token}>{token_value}</span>
            {nome !== undefined && ` · ${nome}`}
          </Text>
        </div>
        {children}
        {capabilities !== null && capabilities.length > 0 && (
          <Text size="xs" c="dimmed">
            {sessionsTexts.abilities(capabilities.map((name) => capabilityLabels[name]).join(', '))}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
