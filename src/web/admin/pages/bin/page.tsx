import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BinItem } from '../../../../contract/admin/tokens.ts';
import { binTexts as texts } from '../../../../texts/admin/bin.ts';
import { humanSize } from '../../../../texts/admin/formats.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { IconArrowBackUp, IconExternalLink, IconTrash } from '../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { restoreFromBin } from '../../components/take-back.ts';
import { useRestoreFocus } from '../../components/use-focus-home.ts';
import { messageOf } from '../../failure.ts';

const { title, description } = adminPageTexts['/admin/cestino'];

/** `/admin/cestino`: deleted items, their expiry, and how to restore them (decision 066). */
export function Page() {
  const list = useQuery(queries.bin.list.queryOptions());
  const section = useRestoreFocus<HTMLDivElement>(list.data?.length);
  return (
    <PageFrame
      title={title}
      description={description}
      actions={list.data !== undefined && list.data.length > 0 && <EmptyButton />}
    >
      <Text maw="40rem">{texts.lead}</Text>
      <Stack ref={section} tabIndex={-1} component="section" gap="sm" aria-label={texts.list}>
        <Loaded query={list} loadFailed={texts.loadFailed} shape="cards">
          {(items) => (
            <>
              {items.length === 0 && <EmptyState drawing="letter" title={texts.none} hint={texts.noneHint} />}
              {items.map((item) => (
                <Binned key={item.id} item={item} />
              ))}
            </>
          )}
        </Loaded>
      </Stack>
    </PageFrame>
  );
}

function Binned({ item: { id, kind, place, name, token, url, size, until } }: { item: BinItem }) {
  const client = useQueryClient();
  const restore = useMutation({ mutationFn: () => restoreFromBin(client, [id]) });
  const facts = [texts.what(kind, place), token, size > 0 && humanSize(size), texts.until(until)];
  return (
    <Paper component="article" withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 16rem">
          <Text fw={600} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} lineClamp={4}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {facts.filter(Boolean).join(' · ')}
          </Text>
          {kind === 'code' && (
            <Text size="sm" c="dimmed">
              {texts.codeHint}
            </Text>
          )}
        </Stack>
        <Group gap="sm">
          {url !== null && (
            <Anchor href={url} target="_blank" rel="noopener" size="sm" aria-label={texts.lookAt(name)}>
              {texts.look} <IconExternalLink size={14} aria-hidden />
            </Anchor>
          )}
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
            loading={restore.isPending}
            aria-label={texts.restoreOf(name)}
            onClick={() => restore.mutate()}
          >
            {texts.restore}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

function EmptyButton() {
  const empty = useMutation({
    mutationFn: () => api.bin.empty(),
    onSuccess: () => toastSuccess(texts.wasEmptied),
    onError: (failed) => toastError(messageOf(failed, texts.emptyFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.bin.key() }),
  });
  const ask = () =>
    confirmAction({
      question: texts.emptyQuestion,
      detail: texts.emptyDetail,
      confirmLabel: texts.empty,
      onConfirm: () => empty.mutate(),
    });
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={18} aria-hidden />}
      loading={empty.isPending}
      onClick={ask}
    >
      {texts.empty}
    </Button>
  );
}
