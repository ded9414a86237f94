import { Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBulb,
  IconChevronRight,
  IconCircleCheck,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ReadinessEntry } from '../../../contract/admin/readiness.ts';
import { READINESS_PART, type ReadinessState } from '../../../domain/readiness-ids.ts';
import { commonTexts } from '../../../texts/admin/common.ts';
import { readinessSentences, readinessTexts } from '../../../texts/admin/readiness.ts';
import { queries } from '../api.ts';
import { useNow } from '../components/live-table/use-now.ts';
import { Loaded } from '../components/loaded.tsx';
import { Loading } from '../components/loading.tsx';
import { useEvening } from './evening.ts';
import styles from './page.module.css';

/** Poll interval in ms, because codes expire and the site closes at a set time. */
const POLL_MS = 30_000;

/** Missing items of the preparation as sentences with links, or that all is ready. */
export function Readiness() {
  const { evening } = useEvening(useNow(POLL_MS));
  const { data, error, refetch } = useQuery(queries.ready.read.queryOptions({ refetchInterval: POLL_MS }));
  const read = { data, error: data === undefined ? error : null, refetch };
  return (
    <Paper withBorder className={styles.panel}>
      <Stack>
        {evening?.phase === 'waiting' && (
          <Title order={2} size="h4">
            {readinessTexts.title}
          </Title>
        )}
        <Loaded query={read} loadFailed={commonTexts.loadFailed} shape="rows">
          {({ prepared }) =>
            evening === undefined ? (
              <Loading shape="rows" />
            ) : evening.phase === 'waiting' ? (
              <Items items={prepared} />
            ) : (
              <Begun items={prepared} />
            )
          }
        </Loaded>
      </Stack>
    </Paper>
  );
}

const byState = (items: readonly ReadinessEntry[]) => {
  const of = (state: ReadinessState) => items.filter((item) => item.state === state);
  return [of('missing'), of('warning'), of('advice'), of('ready')] as const;
};

/** Items after the start: collapsed, unless a problem would affect the next visitor. */
function Begun({ items }: { items: readonly ReadinessEntry[] }) {
  const [missing, warnings, advice, ready] = byState(items);
  const { begun } = readinessTexts;
  return (
    <details className={styles.done} open={missing.length + warnings.length > 0}>
      <summary>{begun.summary}</summary>
      <Stack gap="sm">
        <Part lead={begun.lacking} items={missing} />
        <Part lead={begun.disappointing} items={warnings} />
        <Part lead={begun.better} items={advice} />
        <List items={ready} />
      </Stack>
    </details>
  );
}

function Items({ items }: { items: readonly ReadinessEntry[] }) {
  const [missing, warnings, advice, ready] = byState(items);
  const can = missing.length === 0;
  const { notYet, warned, warnedToo, later, ready: lead } = readinessTexts;
  return (
    <>
      <Part lead={notYet} items={missing} />
      <Part lead={can ? warned : warnedToo} items={warnings} />
      <Part lead={can && warnings.length === 0 ? lead : later} items={advice} />
      {ready.length === items.length && <Text>{readinessTexts.complete}</Text>}
      {ready.length > 0 && (
        <details className={styles.done}>
          <summary>{readinessTexts.done(ready.length)}</summary>
          <List items={ready} />
        </details>
      )}
    </>
  );
}

function Part({ lead, items }: { lead: string; items: readonly ReadinessEntry[] }) {
  if (items.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text fw={600}>{lead}</Text>
      <List items={items} />
    </Stack>
  );
}

const STYLES = {
  missing: { icon: IconAlertCircle, name: readinessTexts.missing },
  warning: { icon: IconAlertTriangle, name: readinessTexts.warning },
  advice: { icon: IconBulb, name: readinessTexts.advice },
  ready: { icon: IconCircleCheck, name: readinessTexts.there },
} as const;

function List({ items }: { items: readonly ReadinessEntry[] }) {
  return (
    <ul className={styles.items}>
      {items.map(({ id, state, page }) => {
        const { icon: Icon, name } = STYLES[state];
        return (
          <li key={id} className={styles.item}>
            <Icon size={20} className={styles[state]} role="img" aria-label={name} />
            <Link to={{ pathname: page, hash: READINESS_PART[id] ?? '' }}>
              {readinessSentences[id][state === 'ready' ? 'there' : 'lacks']}
            </Link>
            <IconChevronRight size={18} className={styles.go} aria-hidden />
          </li>
        );
      })}
    </ul>
  );
}
