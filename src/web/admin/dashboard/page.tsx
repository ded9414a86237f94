import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { adminDoorTexts } from '../../../texts/admin/door.ts';
import { shellTexts } from '../../../texts/admin/shell.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { signOut } from '../api-sign-in.ts';
import { useSignedIn } from '../shell/use-signed-in.ts';

/** Where the administrator arrives. */
export function DashboardPage() {
  useDocumentTitle(shellTexts.dashboard);
  const { data } = useSignedIn();
  const leave = useLeave();
  return (
    <Stack>
      <Group component="header" justify="space-between">
        <Title order={1} size="h2">
          {shellTexts.dashboard}
        </Title>
        <Group>
          <Text c="dimmed">{data?.email}</Text>
          <Button variant="default" onClick={() => void leave()}>
            {adminDoorTexts.signOut}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function useLeave() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async () => {
    const reply = await signOut();
    if (!reply.ok) return toastError(reply.messaggio);
    toastSuccess(adminDoorTexts.signedOut);
    queryClient.clear();
    await navigate('/admin', { replace: true });
  };
}
