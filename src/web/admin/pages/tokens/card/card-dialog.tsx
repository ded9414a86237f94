import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { openModal } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import type { TokenRecord } from '../../../../../contract/model.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import { IconFileTypePdf, IconPhoto, IconPrinter } from '../../../../ui/icons/icons.tsx';
import { saveFile } from '../../../../ui/save-file.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import type { ConfigRecord } from '../../../components/forms/sources.ts';
import { useRecordForm } from '../../../components/forms/use-record-form.ts';
import { WithConfig } from '../../../components/media/with-config.tsx';
import { NotPublicNotice } from '../../../components/not-online.tsx';
import { PREVIEW_DELAY_MS } from '../../../components/phone-frame/with-preview.tsx';
import { BusyButton } from '../../../components/working-button.tsx';
import { OwnText, ownTextForms } from '../own-text.tsx';
import styles from './card.module.css';
import { layOutCard, toCard, useCardPicture } from './card.tsx';
import { paintCard } from './picture.ts';

const texts = tokensTexts.card;

/** «Cartoncino»: shows the card, to print or to save as a PDF or a picture, and to change its title. */
export function openCard(token: TokenRecord, site: URL): void {
  openModal({
    title: texts.action,
    children: (
      <WithConfig sentences={ownTextForms.card_title.sentences}>
        {(config) => <CardDialog token={token} site={site} config={config} />}
      </WithConfig>
    ),
  });
}

type CardDialogProps = { token: TokenRecord; site: URL; config: ConfigRecord };

/** A6 at 600 dpi. */
const FOR_PAPER = { width: 2480, height: 3496, type: 'image/jpeg' } as const;

function CardDialog({ token, site, config }: CardDialogProps) {
  const form = useRecordForm(ownTextForms.card_title, config);
  const [own] = useDebouncedValue(form.values.own, PREVIEW_DELAY_MS);
  const card = toCard(config, { own, token, site });
  const { picture, address, error, refetch } = useCardPicture(card);
  const pdf = useMutation({
    mutationFn: async () => {
      const marks = await layOutCard(card);
      const [{ cardPdf }, picture] = await Promise.all([
        import('./pdf.ts'),
        paintCard(marks, card.dress, FOR_PAPER),
      ]);
      const bytes = await cardPdf({ title: card.title, marks }, new Uint8Array(await picture.arrayBuffer()));
      saveFile(texts.pdfName, new Blob([bytes], { type: 'application/pdf' }));
    },
    onError: () => toastError(texts.failed),
  });
  if (error !== null)
    return <ErrorState error={error} fallback={texts.failed} onRetry={() => void refetch()} />;
  return (
    <Stack>
      <NotPublicNotice />
      <div className={styles.preview}>
        {address === undefined ? (
          <Skeleton height="100%" radius={0} />
        ) : (
          <img src={address} alt={card.spokenText} />
        )}
      </div>
      <OwnText form={form} field="card_title" />
      <Group justify="center" gap="sm">
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => window.print()}
          data-autofocus
        >
          {texts.print}
        </Button>
        <BusyButton
          variant="default"
          leftSection={<IconFileTypePdf size={18} aria-hidden />}
          working={pdf.isPending}
          onClick={pdf.mutate}
        >
          {texts.pdf}
        </BusyButton>
        <BusyButton
          variant="default"
          leftSection={<IconPhoto size={18} aria-hidden />}
          working={picture === undefined}
          onClick={() => picture && saveFile(texts.pictureName, picture)}
        >
          {texts.picture}
        </BusyButton>
      </Group>
      <Text size="sm" c="dimmed" ta="center">
        {texts.printHint}
      </Text>
      {createPortal(
        <div className={styles.sheet}>
          <img src={address} alt="" />
        </div>,
        document.body,
      )}
    </Stack>
  );
}
