import { Button, Group, Stack, Text } from '@mantine/core';
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
import { commonTexts } from '../../../texts/admin/common.ts';
import { readinessSentences, readinessTexts } from '../../../texts/admin/readiness.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Loading } from '../components/loading.tsx';
import { useErrorToast } from '../components/use-error-toast.ts';
import styles from './page.module.css';
import { type Numbers, usePreparation } from './preparation.ts';

type ReadinessProps = {
  numbers: Numbers;
  now: Date;
  /** Somebody is or was in it: what lacks is of interest for who comes next. */
  begun: boolean;
};

/** Says in words what is missing, and leads there; and says so gladly when nothing is. */
export function Readiness({ numbers, now, begun }: ReadinessProps) {
  const { preparation, failed } = usePreparation(numbers, begun);
  useErrorToast(failed?.error ?? null, commonTexts.loadFailed);
  if (failed !== undefined) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (preparation === undefined) return <Loading lines={3} />;
  const items = readiness(preparation, now);
  return begun ? <Prepared items={items} /> : <Items items={items} />;
}

const byState = (items: readonly ReadinessItem[]) => {
  const of = (state: ReadinessState) => items.filter((item) => item.state === state);
  return [of('missing'), of('warning'), of('advice'), of('ready')] as const;
};

/** The same once it has begun: folded up, unless something would disappoint who comes next. */
function Prepared({ items }: { items: readonly ReadinessItem[] }) {
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

function Items({ items }: { items: readonly ReadinessItem[] }) {
  const [missing, warnings, advice, ready] = byState(items);
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
