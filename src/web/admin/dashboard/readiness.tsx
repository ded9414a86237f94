import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBulb,
  IconChevronRight,
  IconCircleCheck,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { readiness } from '../../../domain/readiness.ts';
import { READINESS_PART, type ReadinessItem, type ReadinessState } from '../../../domain/readiness-ids.ts';
import { readinessSentences, readinessTexts } from '../../../texts/admin/readiness.ts';
import { shellTexts } from '../../../texts/admin/shell.ts';
import { useNow } from '../kit/live-table/use-now.ts';
import { ErrorState } from '../shell/error-state.tsx';
import { Loading } from '../shell/loading.tsx';
import { useTold } from '../shell/use-told.ts';
import styles from './page.module.css';
import { usePreparation } from './preparation.ts';

/** Codes expire and the site closes at a moment: looked at this often, in milliseconds. */
const LOOK_MS = 30_000;

/** Says in words what is missing, and leads there; and says so gladly when nothing is. */
export function Readiness({ usableCodes }: { usableCodes: number }) {
  const now = useNow(LOOK_MS);
  const { preparation, failed } = usePreparation(usableCodes);
  useTold(failed?.error ?? null, shellTexts.loadFailed);
  return (
    <Paper withBorder className={styles.panel}>
      <Stack>
        <Title order={2} size="h4">
          {readinessTexts.title}
        </Title>
        {preparation !== undefined ? (
          <Items items={readiness(preparation, now)} />
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
  const [missing, warnings, advice, ready] = [of('missing'), of('warning'), of('advice'), of('ready')];
  const can = missing.length === 0;
  const { notYet, warned, warnedToo, later, ready: lead } = readinessTexts;
  return (
    <>
      <Part lead={notYet} items={missing} />
      <Part lead={can ? warned : warnedToo} items={warnings} />
      <Part lead={can && warnings.length === 0 ? lead : later} items={advice} />
      {ready.length === items.length && <Text>{readinessTexts.complete}</Text>}
      {can && <NextSteps />}
      {ready.length > 0 && (
        <details className={styles.done}>
          <summary>{readinessTexts.done(ready.length)}</summary>
          <List items={ready} />
        </details>
      )}
    </>
  );
}

/** To be sure that it works, and to begin. */
function NextSteps() {
  return (
    <Group gap="sm">
      <Button component={Link} to="/admin/preview">
        {readinessTexts.rehearse}
      </Button>
      <Button component={Link} to="/admin/token" variant="default">
        {readinessTexts.handOver}
      </Button>
    </Group>
  );
}

function Part({ lead, items }: { lead: string; items: readonly ReadinessItem[] }) {
  if (items.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text fw={600}>{lead}</Text>
      <List items={items} />
    </Stack>
  );
}

const LOOKS = {
  missing: { icon: IconAlertCircle, name: readinessTexts.missing },
  warning: { icon: IconAlertTriangle, name: readinessTexts.warning },
  advice: { icon: IconBulb, name: readinessTexts.advice },
  ready: { icon: IconCircleCheck, name: readinessTexts.there },
} as const;

function List({ items }: { items: readonly ReadinessItem[] }) {
  return (
    <ul className={styles.items}>
      {items.map(({ id, state, page }) => {
        const { icon: Icon, name } = LOOKS[state];
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
