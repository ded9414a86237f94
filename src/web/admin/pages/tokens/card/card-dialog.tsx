import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconAlertTriangle, IconFileTypePdf, IconPhoto, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { TokenRecord } from '../../../../../contract/records.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import { saveFile } from '../../../../ui/save-file.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { BusyButton } from '../../../components/working-button.tsx';
import { isThisMachine } from '../../../site-address.ts';
import styles from './card.module.css';
import { Card } from './card.tsx';
import { paintCard } from './picture.ts';
import { type CardToGive, useCard } from './use-card.ts';

const texts = tokensTexts.card;

/** «Cartoncino»: shows the card, to print or to save as a PDF or a picture. */
export function openCard(token: TokenRecord, site: URL): void {
  openModal({ title: texts.action, children: <CardDialog token={token} site={site} /> });
}

function CardDialog({ token, site }: { token: TokenRecord; site: URL }) {
  const { data: card, error, refetch } = useCard(token, site);
  return (
    <Stack>
      {isThisMachine(site) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.local(site.host)}
        </Alert>
      )}
      {card !== undefined ? (
        <CardActions card={card} />
      ) : error === null ? (
        <CardSkeleton />
      ) : (
        <ErrorState error={error} fallback={tokensTexts.loadFailed} onRetry={() => void refetch()} />
      )}
    </Stack>
  );
}

/** Placeholder of the card's size, so that nothing moves. */
function CardSkeleton() {
  return (
    <div className={styles.preview} aria-hidden>
      <Skeleton height="100%" radius={0} />
    </div>
  );
}

function CardActions({ card }: { card: CardToGive }) {
  const element = useRef<HTMLElement>(null);
  const paint = async (options?: Parameters<typeof paintCard>[2]) => {
    if (element.current === null) throw new Error('There is no card');
    return paintCard(card.marks, element.current, options);
  };
  return (
    <>
      <div className={styles.preview}>
        <Card {...card} ref={element} />
      </div>
      <Group justify="center" gap="sm">
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => window.print()}
          data-autofocus
        >
          {texts.print}
        </Button>
        <SaveButton
          name={texts.pdfName}
          icon={<IconFileTypePdf size={18} aria-hidden />}
          make={async () => {
            const [{ cardPdf }, picture] = await Promise.all([import('./pdf.ts'), paint(FOR_PAPER)]);
            const bytes = await cardPdf(card.marks, new Uint8Array(await picture.arrayBuffer()));
            return new Blob([bytes], { type: 'application/pdf' });
          }}
        >
          {texts.pdf}
        </SaveButton>
        <SaveButton name={texts.pictureName} icon={<IconPhoto size={18} aria-hidden />} make={paint}>
          {texts.picture}
        </SaveButton>
      </Group>
      <Text size="sm" c="dimmed" ta="center">
        {texts.printHint}
      </Text>
      {createPortal(
        <div className={styles.sheet}>
          <Card {...card} />
        </div>,
        document.body,
      )}
    </>
  );
}

/** A6 at 600 dpi. */
const FOR_PAPER = { width: 2480, height: 3496, type: 'image/jpeg' } as const;

type KeepProps = { name: string; icon: ReactNode; make: () => Promise<Blob>; children: string };

/** Creates a file and downloads it. */
function SaveButton({ name, icon, make, children }: KeepProps) {
  const [working, setWorking] = useState(false);
  const save = async () => {
    setWorking(true);
    try {
      saveFile(name, await make());
    } catch {
      toastError(texts.failed);
    }
    setWorking(false);
  };
  return (
    <BusyButton variant="default" leftSection={icon} working={working} onClick={() => void save()}>
      {children}
    </BusyButton>
  );
}
