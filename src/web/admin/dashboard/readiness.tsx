import { Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconBulb, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type ReadinessItem, type ReadinessState, readiness } from '../../../domain/readiness.ts';
import { readinessSentences, readinessTexts } from '../../../texts/admin/readiness.ts';
import { shellTexts } from '../../../texts/admin/shell.ts';
import { queries } from '../api.ts';
import { ErrorState } from '../shell/error-state.tsx';
import { Loading } from '../shell/loading.tsx';
import { useTold } from '../shell/use-told.ts';
import styles from './page.module.css';

/** Says in words what is missing, and leads there; and says so gladly when nothing is. */
export function Readiness({ usableCodes }: { usableCodes: number }) {
  const config = useQuery(queries.config.read.queryOptions());
  const questions = useQuery(queries.questions.read.queryOptions());
  const failed = [config, questions].find(({ error, data }) => data === undefined && error !== null);
  useTold(failed?.error ?? null, shellTexts.loadFailed);
  return (
    <Paper withBorder className={styles.panel}>
      <Stack>
        <Title order={2} size="h4">
          {readinessTexts.title}
        </Title>
        {config.data !== undefined && questions.data !== undefined ? (
          <Items
            items={readiness(
              { config: config.data, questions: questions.data, usableCodes },
              new Date(config.dataUpdatedAt),
            )}
          />
        ) : failed === undefined ? (
          <Loading lines={3} />
        ) : (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        )}
      </Stack>
    </Paper>
  );
}

function Items({ items }: { items: readonly ReadinessItem[] }) {
  const of = (state: ReadinessState) => items.filter((item) => item.state === state);
  const [missing, advice, ready] = [of('missing'), of('advice'), of('ready')];
  return (
    <>
      {missing.length > 0 && <Part lead={readinessTexts.notYet} items={missing} />}
      {advice.length > 0 && (
        <Part lead={missing.length > 0 ? readinessTexts.later : readinessTexts.ready} items={advice} />
      )}
      {missing.length + advice.length === 0 && <Text>{readinessTexts.complete}</Text>}
      {ready.length > 0 && (
        <details className={styles.done}>
          <summary>{readinessTexts.done(ready.length)}</summary>
          <List items={ready} />
        </details>
      )}
    </>
  );
}

function Part({ lead, items }: { lead: string; items: readonly ReadinessItem[] }) {
  return (
    <Stack gap="sm">
      <Text>{lead}</Text>
      <List items={items} />
    </Stack>
  );
}

const LOOKS = {
  missing: { icon: IconAlertCircle, name: readinessTexts.missing },
  advice: { icon: IconBulb, name: readinessTexts.advice },
  ready: { icon: IconCircleCheck, name: readinessTexts.there },
} as const;

function List({ items }: { items: readonly ReadinessItem[] }) {
  return (
    <ul className={styles.list}>
      {items.map(({ id, state, page }) => {
        const { icon: Icon, name } = LOOKS[state];
        return (
          <li key={id} className={styles.item}>
            <Icon size={20} className={styles[state]} role="img" aria-label={name} />
            <Link to={page}>{readinessSentences[id][state === 'ready' ? 'there' : 'lacks']}</Link>
          </li>
        );
      })}
    </ul>
  );
}
