import { Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconDeviceMobile, IconPlayerPlay } from '@tabler/icons-react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { ErrorState } from '../components/error-state.tsx';
import { PassCode, passLink } from '../components/pass-code.tsx';
import { PageSection } from '../components/place/place.tsx';
import { useIsOver } from './use-is-over.ts';
import { useClosePass, useOpenUntil, usePhonePass } from './use-phone-pass.ts';

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

/** The valid pass as a QR code and as a link, with buttons to renew and to close it. */
function PhonePass() {
  const { pass, error, closed, making, closing, retry, renew, close } = usePhonePass();
  if (error !== null) return <ErrorState error={error} fallback={texts.passFailed} onRetry={retry} />;
  if (pass === undefined || making) return <PassLoader />;
  if (closed) return <EndedPass sentence={texts.phoneClosed} onNew={renew} />;
  return (
    <Pass
      link={passLink('/prova', pass)}
      scadenza={pass.scadenza}
      onNew={renew}
      onClose={close}
      closing={closing}
    />
  );
}

function PassLoader() {
  return (
    <Stack align="center" py="xl" role="status">
      <Loader aria-hidden />
      <Text>{texts.makingPass}</Text>
    </Stack>
  );
}

type PassProps = { link: URL; scadenza: string; onNew: () => void; onClose: () => void; closing: boolean };

function Pass({ link, scadenza, onNew, onClose, closing }: PassProps) {
  const isExpired = useIsOver(scadenza);
  if (isExpired) return <EndedPass sentence={texts.expired} onNew={onNew} />;
  return (
    <PassCode link={link} texts={texts} until={texts.validUntil(scadenza)} rule={texts.passRule}>
      <Group justify="center">
        <Button variant="default" onClick={onNew}>
          {texts.newPass}
        </Button>
        <Button variant="default" loading={closing} onClick={onClose}>
          {texts.closePhone}
        </Button>
      </Group>
    </PassCode>
  );
}

function EndedPass({ sentence, onNew }: { sentence: string; onNew: () => void }) {
  return (
    <Stack align="center" py="lg">
      <Text role="status">{sentence}</Text>
      <Button onClick={onNew}>{texts.newPass}</Button>
    </Stack>
  );
}
