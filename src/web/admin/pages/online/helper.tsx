import { Button, List, Stack } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import { siteAddressTexts } from '../../../../texts/admin/site-address.ts';
import { Card } from '../../components/card.tsx';
import { Check } from './check.tsx';

const { helper: texts } = siteAddressTexts;

/** Instructions for an own server or domain name, with a check of the address. */
export function Helper() {
  return (
    <Stack gap="lg">
      <Button
        component={Link}
        to={{ search: '' }}
        variant="default"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
      >
        {texts.back}
      </Button>
      <Card title={texts.title} hint={texts.hint}>
        <List type="ordered" spacing="sm">
          {texts.steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
      </Card>
      <Check suggested="" />
    </Stack>
  );
}
