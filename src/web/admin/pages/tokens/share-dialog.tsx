import { Alert, Button, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconAlertTriangle, IconBrandWhatsapp, IconMessage2Heart, IconShare } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { TokenRecord } from '../../../../contract/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { supportsShare } from '../../../ui/may-share.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { copyText } from '../../components/copy-text.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { opensElsewhere } from '../../site-address.ts';
import styles from './card/card.module.css';
import { Card } from './card/card.tsx';
import { paintCard } from './card/picture.ts';
import { type CardToGive, useCard } from './card/use-card.ts';

const texts = tokensTexts.share;

/** «Condividi»: sends the message, with or without the card, by the phone's share sheet, by WhatsApp, or as a copy. */
export function openShare(token: TokenRecord, site: URL): void {
  openModal({ title: texts.title(token.nome), children: <ShareDialog token={token} site={site} /> });
}

type Props = { token: TokenRecord; site: URL };

function ShareDialog({ token, site }: Props) {
  const { data: card, error, refetch } = useCard(token, site);
  if (card === undefined)
    return error === null ? (
      <Loading shape="fields" />
    ) : (
      <ErrorState error={error} fallback={tokensTexts.loadFailed} onRetry={() => void refetch()} />
    );
  const message = tokensTexts.message({ name: card.name, url: site.href, token: token.token });
  return (
    <Stack>
      {!opensElsewhere(site) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {tokensTexts.messageLocal(site.host)}
        </Alert>
      )}
      <Paper withBorder p="sm" component="section" aria-label={texts.message}>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{message}</Text>
      </Paper>
      {supportsShare({ text: message }) ? (
        <ShareSheetButton card={card} message={message} />
      ) : (
        <Text size="sm" c="dimmed">
          {texts.none}
        </Text>
      )}
      <Group gap="sm" grow preventGrowOverflow={false}>
        <Button
          component="a"
          href={texts.whatsAppLink(message)}
          target="_blank"
          rel="noopener noreferrer"
          variant="default"
          leftSection={<IconBrandWhatsapp size={18} aria-hidden />}
        >
          {texts.whatsApp}
        </Button>
        <Button
          variant="default"
          leftSection={<IconMessage2Heart size={18} aria-hidden />}
          onClick={() => void copyText(message, tokensTexts.messageCopied)}
        >
          {texts.copy}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {texts.never}
      </Text>
    </Stack>
  );
}

/** Checks support before the picture exists; browsers only look at the type. */
const SAMPLE_PICTURE = new File([], tokensTexts.card.pictureName, { type: 'image/png' });

function ShareSheetButton({ card, message }: { card: CardToGive; message: string }) {
  const takesFiles = supportsShare({ text: message, files: [SAMPLE_PICTURE] });
  const [includesCard, setIncludesCard] = useState(takesFiles);
  const { element, picture } = usePicture(card, includesCard);
  const files = includesCard && picture instanceof File ? [picture] : undefined;
  const share = () => {
    // Called directly in the tap, because phones require a user gesture.
    navigator.share({ text: message, ...(files && { files }) }).catch((error: unknown) => {
      if (!isDismissed(error)) toastError(texts.failed);
    });
  };
  return (
    <>
      {takesFiles && (
        <Group wrap="nowrap" justify="space-between" className={styles.withCard}>
          <Switch
            label={texts.withCard}
            description={texts.withCardHint}
            checked={includesCard}
            onChange={(event) => setIncludesCard(event.currentTarget.checked)}
          />
          {includesCard && (
            <div className={styles.preview} data-small>
              <Card {...card} ref={element} />
            </div>
          )}
        </Group>
      )}
      <BusyButton
        size="md"
        leftSection={<IconShare size={18} aria-hidden />}
        working={includesCard && picture === undefined}
        onClick={share}
        data-autofocus
      >
        {texts.submit}
      </BusyButton>
    </>
  );
}

/** The card as a file, created before the tap that shares it. Null if it failed, undefined while unknown. */
function usePicture(card: CardToGive, includesCard: boolean) {
  const element = useRef<HTMLElement>(null);
  const [picture, setPicture] = useState<File | null>();
  useEffect(() => {
    if (!includesCard || picture !== undefined || element.current === null) return;
    paintCard(card.marks, element.current).then(
      (blob) => setPicture(new File([blob], tokensTexts.card.pictureName, { type: 'image/png' })),
      () => {
        setPicture(null);
        toastError(tokensTexts.card.failed);
      },
    );
  }, [card.marks, picture, includesCard]);
  return { element, picture };
}

/** Returns true if the share sheet was closed, or is already open. */
const isDismissed = (error: unknown): boolean =>
  error instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(error.name);
