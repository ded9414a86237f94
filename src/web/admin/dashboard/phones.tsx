import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { diagnosisAdminTexts as texts } from '../../../texts/admin/diagnosis.ts';
import { faultTexts, verdictText } from '../../../texts/diagnosis.ts';
import { queries } from '../api.ts';
import { Loading } from '../components/loading.tsx';
import styles from './page.module.css';

/** Maximum number of phones, and of faults per phone, shown here. */
const SHOWN = { phones: 3, faults: 2 } as const;

/** Result of the phone tests with the first things to do. The phone test page has the rest. */
export function DiagnosisStatus() {
  const { data, isPending } = useQuery(queries.diagnosis.list.queryOptions());
  if (isPending) return <Loading shape="cards" count={1} />;
  if (data === undefined) return null;
  const phones = data.phones.slice(0, SHOWN.phones);
  return (
    <Paper withBorder className={styles.panel}>
      <Stack gap="sm">
        {phones.length === 0 ? (
          <>
            <Title order={2} size="h4">
              {texts.none}
            </Title>
            <Text c="dimmed">{texts.lead}</Text>
          </>
        ) : (
          phones.map(({ id, nome, verdict, faults }) => (
            <div key={id}>
              <Title order={2} size="h4">
                {verdictText(verdict, nome === '' ? texts.unnamed : nome)}
              </Title>
              {faults.slice(0, SHOWN.faults).map((fault) => (
                <Text key={fault}>{faultTexts[fault]}</Text>
              ))}
            </div>
          ))
        )}
        <Group>
          <Anchor component={Link} to="/admin/telefoni" underline="always" className={styles.all}>
            {phones.length === 0 ? texts.make : texts.all}
          </Anchor>
        </Group>
      </Stack>
    </Paper>
  );
}
