import { Anchor, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { TokenRecord } from '../../../../contract/model.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { RecordsTable } from '../../components/live-table/records-table.tsx';
import { RefreshButton } from '../../components/live-table/refresh-button.tsx';
import { useNow } from '../../components/live-table/use-now.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { useRestoreFocus } from '../../components/use-focus-home.ts';
import { codeGroups } from './card/drawing.ts';
import { CreateForm } from './code-forms.tsx';
import { codeColumns } from './columns.tsx';
import { useCodeButtons } from './hand-over.tsx';
import styles from './page.module.css';

const { title, description } = adminPageTexts['/admin/token'];
/** Interval in ms at which the expiry of codes is checked. */
const UPDATE_MS = 15_000;

/** `/admin/token`: creates, hands over and revokes codes (spec 2 «Token page»). */
export function Page() {
  const list = useQuery(queries.tokens.list.queryOptions());
  const section = useRestoreFocus<HTMLDivElement>(list.data?.length);
  const [created, setCreated] = useState<{ token: TokenRecord; at: number }>();
  // True if the new code was deleted since.
  const isDeleted =
    created && list.dataUpdatedAt > created.at && !list.data?.some(({ id }) => id === created.token.id);
  return (
    <PageFrame
      title={title}
      description={description}
      actions={<RefreshButton label={tokensTexts.refresh} onRefresh={list.refetch} />}
    >
      <CreateForm onMade={(token) => setCreated({ token, at: Date.now() })} />
      {created !== undefined && !isDeleted && (
        <NewCode key={created.token.id} token={created.token} onDone={() => setCreated(undefined)} />
      )}
      <Stack ref={section} tabIndex={-1} component="section" gap="sm" aria-labelledby="codici">
        <Title order={2} size="h4" id="codici">
          {tokensTexts.list}
        </Title>
        <Loaded query={list} loadFailed={tokensTexts.loadFailed} shape="cards">
          {(tokens) => <Codes tokens={tokens} />}
        </Loaded>
      </Stack>
    </PageFrame>
  );
}

function Codes({ tokens }: { tokens: readonly TokenRecord[] }) {
  const now = useNow(UPDATE_MS);
  if (tokens.length === 0)
    return <EmptyState drawing="letter" title={tokensTexts.empty} hint={tokensTexts.emptyHint} />;
  return (
    <RecordsTable label={tokensTexts.list} columns={codeColumns(now)} rows={tokens} rowKey={({ id }) => id} />
  );
}

type NewCodeProps = { token: TokenRecord; onDone: () => void };

/** The new code in large type, with the ways to hand it over. */
function NewCode({ token, onDone }: NewCodeProps) {
  const buttons = useCodeButtons(token);
  const panel = useRef<HTMLDivElement>(null);
  // On a phone the panel is below the visible part. The button that created the code was disabled and has lost the focus.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Paper
      ref={panel}
      tabIndex={-1}
      withBorder
      p="lg"
      component="section"
      aria-labelledby="codice-pronto"
      style={{ borderColor: 'var(--hairline)' }}
    >
      <Stack align="center" gap="sm">
        <Title order={2} size="h4" id="codice-pronto" ta="center" style={{ overflowWrap: 'anywhere' }}>
          {tokensTexts.made.title(token.nome)}
        </Title>
        {/* In groups for reading; screen readers get it unbroken. */}
        <p className={styles.newCode}>
          <VisuallyHidden>{token.token}</VisuallyHidden>
          {codeGroups(token.token).map((group, index) => (
            <span key={`${index}${group}`} aria-hidden>
              {group}
            </span>
          ))}
        </p>
        <Text c="dimmed" ta="center">
          {tokensTexts.made.hint}
        </Text>
        <Text ta="center">
          {tokensTexts.made.dontTry}{' '}
          <Anchor component={Link} to="/admin/preview#prova" underline="always">
            {tokensTexts.made.rehearsal}
          </Anchor>
          .
        </Text>
        <Group justify="center" gap="sm">
          {buttons.map(({ label, icon: Icon, run }, index) => (
            <Button
              key={label}
              variant={index === 0 ? 'filled' : 'default'}
              leftSection={<Icon size={18} aria-hidden />}
              onClick={run}
            >
              {label}
            </Button>
          ))}
          <Button variant="subtle" onClick={onDone}>
            {tokensTexts.made.done}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
