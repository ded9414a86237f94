import { Alert, Button, Stack, Text } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { IconAlertTriangle, IconPrinter } from '@tabler/icons-react';
import { createPortal } from 'react-dom';
import type { TokenRecord } from '../../../../../contract/records.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import { isThisMachine } from '../../../site-address.ts';
import styles from './card.module.css';
import { Card } from './card.tsx';

const texts = tokensTexts.card;

/** «Biglietto da stampare»: the card as it will be, and the button that prints it. */
export function openCard(token: TokenRecord, site: URL): void {
  openModal({ title: texts.action, children: <PrintableCard token={token} site={site} /> });
}

function PrintableCard({ token, site }: { token: TokenRecord; site: URL }) {
  return (
    <Stack>
      {isThisMachine(site) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.local(site.host)}
        </Alert>
      )}
      <div className={styles.preview}>
        <Card token={token} site={site} />
      </div>
      <Button
        leftSection={<IconPrinter size={18} aria-hidden />}
        onClick={() => window.print()}
        data-autofocus
      >
        {texts.print}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        {texts.printHint}
      </Text>
      {createPortal(
        <div className={styles.sheet}>
          <Card token={token} site={site} />
        </div>,
        document.body,
      )}
    </Stack>
  );
}
