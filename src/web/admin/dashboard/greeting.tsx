import { Button, Group, Text, Title } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { signInTexts } from '../../../texts/admin/sign-in.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { queries } from '../api.ts';
import { signOut } from '../api-sign-in.ts';
import { confirmAction } from '../components/confirm-action.ts';
import { useUploads } from '../components/media/uploads/store.ts';
import { needsOpenPage } from '../components/media/uploads/upload.ts';
import { pauseUploads } from '../components/media/uploads/uploads.ts';
import { duringSignOut } from '../signed-out.ts';
import { useSignedIn } from '../use-signed-in.ts';
import styles from './page.module.css';

/** The signed-in administrator, and the sign-out button. */
export function Greeting() {
  const { data } = useSignedIn();
  const signOutNow = useSignOut();
  return (
    <Group component="header" className={styles.greeting}>
      <Title order={1} size="h4">
        {dashboardTexts.title}
      </Title>
      <Text c="dimmed" size="sm" className={styles.email} title={data?.email}>
        {data?.email}
      </Text>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconLogout size={16} aria-hidden />}
        onClick={signOutNow}
      >
        {signInTexts.signOut}
      </Button>
    </Group>
  );
}

function useSignOut() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const uploading = useUploads().some(needsOpenPage);
  async function signOutNow() {
    const reply = await signOut();
    if (!reply.ok) return toastError(reply.failure.messaggio);
    pauseUploads();
    toastSuccess(signInTexts.signedOut);
    // Unmounts the layout's frame at once, so that nothing in it sends further requests.
    const reset = queryClient.resetQueries({ queryKey: queries.me.queryKey() });
    await navigate('/admin', { replace: true });
    await reset;
    // Clears all cached data before another administrator signs in.
    queryClient.removeQueries({ type: 'inactive' });
    queryClient.getMutationCache().clear();
  }
  const go = () => void duringSignOut(signOutNow);
  return uploading ? () => confirmAction({ ...signInTexts.signOutUploading, onConfirm: go }) : go;
}
