import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react';
import { Link } from 'react-router';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { Card } from '../../components/card.tsx';
import { copyText } from '../../components/copy-text.tsx';
import { opensElsewhere, useSiteAddress } from '../../site-address.ts';
import { useSignedIn } from '../../use-signed-in.ts';
import styles from './address.module.css';

const texts = eveningPageTexts.address;

/** The address the visitor opens. It can be copied here; the installation sets it. */
export function Address() {
  const address = useSiteAddress();
  const isConfigured = useSignedIn().data?.public_url != null;
  return (
    <Card title={texts.title} hint={texts.hint}>
      <Code block fz="md" className={styles.address}>
        {address.href}
      </Code>
      {!opensElsewhere(address) && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <Stack gap="sm" align="flex-start">
            {texts.onlyHere}
            <Button component={Link} to="/admin/rete" variant="default">
              {adminPageTexts['/admin/rete'].title}
            </Button>
          </Stack>
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {isConfigured ? texts.set : texts.found}
      </Text>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        onClick={() => void copyText(address.href, texts.copied)}
      >
        {texts.copy}
      </Button>
    </Card>
  );
}
