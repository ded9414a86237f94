import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { ErrorState } from '../components/error-state.tsx';
import { PassCode, passLink } from '../components/pass-code.tsx';
import { useIsOver } from './use-is-over.ts';
import { usePhonePass } from './use-phone-pass.ts';

/** The valid pass as a QR code and as a link, with buttons to renew and to close it. */
export function PhonePass() {
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
