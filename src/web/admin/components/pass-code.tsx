import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle, IconCopy } from '../../ui/icons/icons.tsx';
import { isThisMachine } from '../site-address.ts';
import { copyText } from './copy-text.tsx';
import { QrCode } from './qr-code.tsx';

type Texts = Record<'onlyHere' | 'scan' | 'qrLabel' | 'linkLabel' | 'copyLink' | 'copied', string>;

type PassCodeProps = {
  link: URL;
  texts: Texts;
  /** Sentence with the time of expiry. */
  until: string;
  /** Sentence about what the pass opens. */
  rule: string;
  children?: ReactNode;
};

/** A pass for a phone, as a QR code and as a link. */
export function PassCode({ link, texts, until, rule, children }: PassCodeProps) {
  return (
    <Stack align="center">
      {isThisMachine(link) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.onlyHere}
        </Alert>
      )}
      <Text ta="center">{texts.scan}</Text>
      <QrCode value={link.href} title={texts.qrLabel} />
      <Text fw={600}>{until}</Text>
      <Group wrap="nowrap" align="end" w="100%">
        <TextInput
          flex={1}
          miw={0}
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
      <Text size="sm" c="dimmed" ta="center">
        {rule}
      </Text>
      {children}
    </Stack>
  );
}

/**
 * Returns the link that opens `page` on a phone. The pass is the fragment, which no server or log receives. Without a known site
 * address, uses this page's origin.
 */
export function passLink(
  page: string,
  { pass, public_url }: { pass: string; public_url: string | null },
): URL {
  const link = new URL(page, public_url ?? location.origin);
  link.hash = pass;
  return link;
}
