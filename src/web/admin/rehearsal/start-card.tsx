import { Button, Group, Paper, Text } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconDeviceMobile, IconPlayerPlay } from '@tabler/icons-react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { PageSection } from '../components/place/place.tsx';
import { PhonePass } from './phone-pass.tsx';
import { useIsOver } from './use-is-over.ts';
import { useClosePass, useOpenUntil } from './use-phone-pass.ts';

/** «Prova generale»: starts a rehearsal on this screen, or on a phone by QR code (decision 014). */
export function StartCard() {
  return (
    <Paper withBorder p="md">
      <PageSection id="prova" title={texts.cardTitle}>
        <Text maw="40rem">{texts.cardText}</Text>
        <Group>
          {/* A plain link, because `/prova` is a separate document without the administration. */}
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
      </PageSection>
    </Paper>
  );
}

function openPass() {
  openModal({ title: texts.onPhone, children: <PhonePass /> });
}

/** Expiry of the open phone pass, with a button to close it. */
function PhoneOpen() {
  const scadenza = useOpenUntil();
  return scadenza === null ? null : <OpenUntil scadenza={scadenza} />;
}

function OpenUntil({ scadenza }: { scadenza: string }) {
  const isExpired = useIsOver(scadenza);
  const { mutate, isPending } = useClosePass();
  if (isExpired) return null;
  return (
    <Group>
      <Text>{texts.phoneOpen(scadenza)}</Text>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {texts.closePhone}
      </Button>
    </Group>
  );
}
