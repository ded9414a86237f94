import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenRecord } from '../../../../contract/records.ts';
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
import { codeColumns } from './columns.tsx';
import { CreateForm } from './create-form.tsx';
import { NewCode } from './new-code.tsx';

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
