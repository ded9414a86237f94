import { Button, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { useState } from 'react';
import type { TokenRecord } from '../../../../contract/model.ts';
import { recipientName } from '../../../../domain/recipient-name.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import {
  IconBrandWhatsapp,
  IconCopy,
  IconMessage2Heart,
  IconShare,
  IconTicket,
  type TablerIcon,
} from '../../../ui/icons/icons.tsx';
import { supportsShare } from '../../../ui/may-share.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { copyText } from '../../components/copy-text.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { useRecordForm } from '../../components/forms/use-record-form.ts';
import { WithConfig } from '../../components/media/with-config.tsx';
import { NotPublicNotice } from '../../components/not-online.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { useSiteAddress } from '../../site-address.ts';
import styles from './card/card.module.css';
import { type CardToGive, toCard, useCardPicture } from './card/card.tsx';
import { openCard } from './card/card-dialog.tsx';
import { OwnText, ownTextForms } from './own-text.tsx';

const texts = tokensTexts.share;

type CodeButton = { label: string; icon: TablerIcon; run: () => void };

/** Returns the ways to hand over a code. */
export function useCodeButtons(token: TokenRecord): CodeButton[] {
  const site = useSiteAddress();
  return [
    { label: texts.action, icon: IconShare, run: () => openShare(token, site) },
    { label: tokensTexts.copy, icon: IconCopy, run: () => void copyText(token.token, tokensTexts.copied) },
    { label: tokensTexts.card.action, icon: IconTicket, run: () => openCard(token, site) },
  ];
}

/** «Condividi»: sends the message, with or without the card, by the phone's share sheet, by WhatsApp, or as a copy. */
function openShare(token: TokenRecord, site: URL): void {
  openModal({
    title: texts.title(token.nome),
    children: (
      <WithConfig sentences={ownTextForms.share_message.sentences}>
        {(config) => <ShareDialog token={token} site={site} config={config} />}
      </WithConfig>
    ),
  });
}

type ShareDialogProps = { token: TokenRecord; site: URL; config: ConfigRecord };

function ShareDialog({ token, site, config }: ShareDialogProps) {
  const form = useRecordForm(ownTextForms.share_message, config);
  const { own } = form.values;
  const handed = { own, name: recipientName(config), url: site.href, token: token.token };
  const message = tokensTexts.message(handed);
  return (
    <Stack>
      <NotPublicNotice />
      <Paper withBorder p="sm" component="section" aria-label={texts.message}>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{message}</Text>
      </Paper>
      <OwnText form={form} field="share_message" lacks={tokensTexts.lackingPlaces(handed)} />
      {supportsShare({ text: message }) ? (
        <ShareSheetButton card={toCard(config, { own: config.card_title, token, site })} message={message} />
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
  const { picture, address, error } = useCardPicture(card, includesCard);
  const { name, type } = SAMPLE_PICTURE;
  const files = includesCard && picture && [new File([picture], name, { type })];
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
          {includesCard && error === null && (
            <div className={styles.preview} data-small>
              {address && <img src={address} alt={card.spokenText} />}
            </div>
          )}
        </Group>
      )}
      {includesCard && error !== null && (
        <Text c="red" role="alert">
          {tokensTexts.card.failed}
        </Text>
      )}
      <BusyButton
        size="md"
        leftSection={<IconShare size={18} aria-hidden />}
        working={includesCard && picture === undefined && error === null}
        onClick={share}
        data-autofocus
      >
        {texts.submit}
      </BusyButton>
    </>
  );
}

/** Returns true if the share sheet was closed, or is already open. */
const isDismissed = (error: unknown): boolean =>
  error instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(error.name);
