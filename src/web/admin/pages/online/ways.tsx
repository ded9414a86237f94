import { Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { keysOf } from '../../../../domain/records.ts';
import { onlineTexts as texts, type Way } from '../../../../texts/admin/online.ts';
import styles from './online.module.css';

/** The ways to choose from, each with what it costs and needs. */
export function Ways({ title }: { title: string }) {
  return (
    <Stack gap="sm" component="nav" aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed">{texts.chooseHint}</Text>
      <div className={styles.ways}>
        {keysOf(texts.ways).map((way) => (
          <WayCard key={way} way={way} />
        ))}
      </div>
    </Stack>
  );
}

function WayCard({ way }: { way: Way }) {
  const { title, summary, cost, needs, time } = texts.ways[way];
  return (
    <Paper withBorder className={styles.way}>
      <Text component={Link} to={{ search: `?strada=${way}` }} fw={600} className={styles.go}>
        {title}
      </Text>
      <Text size="sm">{summary}</Text>
      <dl className={styles.facts}>
        <Fact name={texts.cost} text={cost} />
        <Fact name={texts.needs} text={needs} />
        <Fact name={texts.time} text={time} />
      </dl>
    </Paper>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <Text component="dt" size="sm">
        {name}
      </Text>
      <Text component="dd" size="sm">
        {text}
      </Text>
    </>
  );
}
