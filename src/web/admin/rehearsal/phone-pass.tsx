import { Alert, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { queries } from '../api.ts';
import { copyText } from '../pages/tokens/copy-text.tsx';
import { ErrorState } from '../shell/error-state.tsx';
import { isThisMachine } from '../site-address.ts';
import { passLink } from './pass-link.ts';
import styles from './phone-pass.module.css';
import { useIsOver } from './use-is-over.ts';

/** Wine on white in both themes: what every camera reads. */
const QR = { ink: '#4a1230', paper: '#ffffff', size: 232, margin: 3 } as const;

/** A new pass each time it is opened, as a QR code and as a link. */
export function PhonePass() {
  const { data, error, refetch, isFetching } = useQuery({
    ...queries.rehearsal.pass.queryOptions({ input: {} }),
    // A pass is made when it is asked for, and forgotten when it is no longer shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const again = () => void refetch();
  if (error !== null && !isFetching)
    return <ErrorState error={error} fallback={texts.passFailed} onRetry={again} />;
  if (data === undefined || isFetching) return <Making />;
  return <Pass link={passLink(data)} scadenza={data.scadenza} onNew={again} />;
}

function Making() {
  return (
    <Stack align="center" py="xl" role="status">
      <Loader aria-hidden />
      <Text>{texts.makingPass}</Text>
    </Stack>
  );
}

type PassProps = { link: URL; scadenza: string; onNew: () => void };

function Pass({ link, scadenza, onNew }: PassProps) {
  const over = useIsOver(scadenza);
  if (over) return <Over onNew={onNew} />;
  return (
    <Stack align="center">
      {isThisMachine(link) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.onlyHere}
        </Alert>
      )}
      <Text ta="center">{texts.scan}</Text>
      <QRCodeSVG
        value={link.href}
        level="M"
        size={QR.size}
        marginSize={QR.margin}
        fgColor={QR.ink}
        bgColor={QR.paper}
        title={texts.qrLabel}
        className={styles.code}
      />
      <Text fw={600}>{texts.validUntil(scadenza)}</Text>
      <Group wrap="nowrap" align="end" w="100%">
        <TextInput
          className={styles.link}
          label={texts.linkLabel}
          value={link.href}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          variant="default"
          leftSection={<IconCopy size={18} aria-hidden />}
          onClick={() => void copyText(link.href, texts.copied)}
        >
          {texts.copyLink}
        </Button>
      </Group>
    </Stack>
  );
}

function Over({ onNew }: { onNew: () => void }) {
  return (
    <Stack align="center" py="lg">
      <Text role="status">{texts.expired}</Text>
      <Button onClick={onNew}>{texts.newPass}</Button>
    </Stack>
  );
}
