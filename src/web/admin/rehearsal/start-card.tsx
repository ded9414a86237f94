import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconDeviceMobile, IconPlayerPlay } from '@tabler/icons-react';
import { useId } from 'react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { PhoneOpen } from './phone-open.tsx';
import { PhonePass } from './phone-pass.tsx';

/** «Prova generale» (decision 25): on this screen, or on a phone by a QR code. */
export function StartCard() {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h3" id={id}>
          {texts.cardTitle}
        </Title>
        <Text maw="40rem">{texts.cardText}</Text>
        <Group>
          {/* Another document: the visitor's own, with none of the administration in it. */}
          <Button component="a" href="/prova" leftSection={<IconPlayerPlay size={18} aria-hidden />}>
            {texts.here}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDeviceMobile size={18} aria-hidden />}
            onClick={openPass}
          >
            {texts.onPhone}
          </Button>
        </Group>
        <PhoneOpen />
      </Stack>
    </Paper>
  );
}

function openPass() {
  openModal({ title: texts.onPhone, children: <PhonePass /> });
}
