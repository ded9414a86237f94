import { Anchor, List, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { phonesTexts } from '../../../../texts/admin/diagnosis.ts';
import { readyTexts as texts } from '../../../../texts/admin/ready.ts';
import { verdictText } from '../../../../texts/diagnosis.ts';
import { queries } from '../../api.ts';

/** What was found on the phones that were tried; that there is none stands among the reasons. */
export function Phones() {
  const phones = useQuery(queries.diagnosis.list.queryOptions()).data?.phones ?? [];
  if (phones.length === 0) return null;
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {texts.phones}
      </Title>
      <List>
        {phones.map(({ id, nome, verdict }) => (
          <List.Item key={id}>{verdictText(verdict, nome === '' ? phonesTexts.unnamed : nome)}</List.Item>
        ))}
      </List>
      <Anchor component={Link} to="/admin/telefoni">
        {texts.phonesAll}
      </Anchor>
    </Stack>
  );
}
