import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { planBPageTexts as texts } from '../../../../texts/admin/plan-b.ts';
import { IconAlertTriangle, IconDownload, IconRefresh } from '../../../ui/icons/icons.tsx';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { messageOf } from '../../failure.ts';

const { title, description } = adminPageTexts['/admin/piano-b'];
const FILE = '/api/admin/plan-b/piano-b.html';

type State = Awaited<ReturnType<typeof api.planB.read>>;

/** `/admin/piano-b`: the evening as a file that works without the site. */
export function Page() {
  const state = useQuery(queries.planB.read.queryOptions());
  return (
    <PageFrame title={title} description={description}>
      <Loaded query={state} loadFailed={texts.loadFailed} shape="cards" count={1}>
        {(planState) => <Plan state={planState} />}
      </Loaded>
      <Text maw="40rem">{texts.lead}</Text>
      <Lines title={texts.howTitle} lines={texts.how} />
      <Lines title={texts.limitsTitle} lines={texts.limits} />
    </PageFrame>
  );
}

/** State of the file, obstacles, and the main action: download a current file, else create it. */
function Plan({ state }: { state: State }) {
  const { plan } = state;
  const isGood = plan?.current === true;
  return (
    <Stack gap="md">
      <Obstacle state={state} />
      {plan === null ? (
        <EmptyState
          drawing="letter"
          title={texts.none}
          hint={texts.noneHint}
          action={<MakeButton state={state} />}
        />
      ) : (
        <>
          <Paper withBorder p="md">
            <Stack gap={4}>
              <Text fw={600}>{isGood ? texts.current : texts.old}</Text>
              <Text c="dimmed" size="sm">
                {texts.made(plan.made_at, plan.file_size)} {texts.needs(plan.file_size)}
              </Text>
            </Stack>
          </Paper>
          <Group gap="sm">
            {isGood && <DownloadButton />}
            <MakeButton state={state} />
            {!isGood && <DownloadButton quiet />}
          </Group>
        </>
      )}
      <Text role="status">{state.making ? (state.waits ? texts.waits : texts.making) : ''}</Text>
    </Stack>
  );
}

function Obstacle({ state: { hindrance, failed } }: { state: State }) {
  const sentence = hindrance === null ? failed && texts.failure(failed) : texts.hindrance(hindrance);
  if (sentence === null) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
      {sentence}
    </Alert>
  );
}

function DownloadButton({ quiet = false }: { quiet?: boolean }) {
  return (
    <Button
      component="a"
      href={FILE}
      download
      leftSection={<IconDownload size={18} aria-hidden />}
      {...(quiet && { variant: 'default' })}
    >
      {texts.download}
    </Button>
  );
}

function MakeButton({ state: { plan, making, hindrance } }: { state: State }) {
  const make = useMutation({
    mutationFn: () => api.planB.make({}),
    onError: (failed) => toastError(messageOf(failed, texts.makeFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.planB.key() }),
  });
  return (
    <Button
      loading={making || make.isPending}
      disabled={hindrance !== null}
      leftSection={plan !== null && <IconRefresh size={18} aria-hidden />}
      onClick={() => make.mutate()}
      {...(plan?.current === true && { variant: 'default' })}
    >
      {plan === null ? texts.make : texts.makeAgain}
    </Button>
  );
}

function Lines({ title: heading, lines }: { title: string; lines: readonly string[] }) {
  return (
    <Stack component="section" gap="xs" maw="40rem">
      <Title order={2} size="h4">
        {heading}
      </Title>
      <List spacing="xs">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Stack>
  );
}
