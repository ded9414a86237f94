import { Alert, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { copyText } from '../components/copy-text.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { isThisMachine } from '../site-address.ts';
import styles from './phone-pass.module.css';
import { useIsOver } from './use-is-over.ts';
import { usePhonePass } from './use-phone-pass.ts';

/** The pass that is good, as a QR code and as a link, and the ways to end it. */
export function PhonePass() {
  const { pass, error, closed, making, closing, retry, renew, close } = usePhonePass();
  if (error !== null) return <ErrorState error={error} fallback={texts.passFailed} onRetry={retry} />;
  if (pass === undefined || making) return <Making />;
  if (closed) return <Over sentence={texts.phoneClosed} onNew={renew} />;
  return (
    <Pass link={passLink(pass)} scadenza={pass.scadenza} onNew={renew} onClose={close} closing={closing} />
  );
}

function Making() {
  return (
    <Stack align="center" py="xl" role="status">
      <Loader aria-hidden />
      <Text>{texts.makingPass}</Text>
    </Stack>
  );
}

type PassProps = { link: URL; scadenza: string; onNew: () => void; onClose: () => void; closing: boolean };

function Pass({ link, scadenza, onNew, onClose, closing }: PassProps) {
  const over = useIsOver(scadenza);
  if (over) return <Over sentence={texts.expired} onNew={onNew} />;
  return (
    <Stack align="center">
      {isThisMachine(link) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.onlyHere}
        </Alert>
      )}
      <Text ta="center">{texts.scan}</Text>
      <QrCode value={link.href} title={texts.qrLabel} />
      <Text fw={600}>{texts.validUntil(scadenza)}</Text>
      <PassLink href={link.href} />
      <Text size="sm" c="dimmed" ta="center">
        {texts.passRule}
      </Text>
      <Group justify="center">
        <Button variant="default" onClick={onNew}>
          {texts.newPass}
        </Button>
        <Button variant="default" loading={closing} onClick={onClose}>
          {texts.closePhone}
        </Button>
      </Group>
    </Stack>
  );
}

function PassLink({ href }: { href: string }) {
  return (
    <Group wrap="nowrap" align="end" w="100%">
      <TextInput
        className={styles.link}
        label={texts.linkLabel}
        value={href}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        onClick={() => void copyText(href, texts.copied)}
      >
        {texts.copyLink}
      </Button>
    </Group>
  );
}

function Over({ sentence, onNew }: { sentence: string; onNew: () => void }) {
  return (
    <Stack align="center" py="lg">
      <Text role="status">{sentence}</Text>
      <Button onClick={onNew}>{texts.newPass}</Button>
    </Stack>
  );
}

/**
 * Where a phone opens the rehearsal. The pass is the address's fragment: no server and no log on the way sees it.
 * Without a known address of the site, the one this page is at.
 */
function passLink({ pass, public_url }: { pass: string; public_url: string | null }): URL {
  const link = new URL('/prova', public_url ?? location.origin);
  link.hash = pass;
  return link;
}
