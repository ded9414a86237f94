import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { SharingState } from '../../../../contract/admin/site-address.ts';
import { siteAddressTexts as texts } from '../../../../texts/admin/site-address.ts';
import {
  IconAlertTriangle,
  IconCopy,
  IconShare3,
  IconWorldOff,
  IconWorldUp,
} from '../../../ui/icons/icons.tsx';
import { supportsShare } from '../../../ui/may-share.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { confirmAction } from '../../components/confirm-action.ts';
import { copyText } from '../../components/copy-text.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';

/** Timeout in ms; stopping waits for the end of the tunnel's process. */
const TIMEOUT_MS = 30_000;

/** Sharing from this computer, in its present state. */
export function Sharing({ sharing }: { sharing: SharingState }) {
  useAddressOf(sharing);
  const { state } = sharing;
  if (state === 'starting' || state === 'reaching') return <Starting sharing={sharing} />;
  return state === 'online' ? <Online sharing={sharing} /> : <Off sharing={sharing} />;
}

/** Refetches the address when it changes, because links on every page contain it. */
function useAddressOf({ address, state }: SharingState) {
  const client = useQueryClient();
  const publicAddress = state === 'online' ? address : null;
  const shown = useRef(publicAddress);
  useEffect(() => {
    if (shown.current === publicAddress) return;
    shown.current = publicAddress;
    void client.invalidateQueries({ queryKey: queries.me.key() });
    void client.invalidateQueries({ queryKey: queries.address.key() });
  }, [client, publicAddress]);
}

/** One of the sharing calls; its result updates the shown state. */
function useSharingCall(call: 'start' | 'stop' | 'given') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.sharing[call](undefined, { context: { timeoutMs: TIMEOUT_MS } }),
    onSuccess: (sharing) => client.setQueryData(queries.sharing.read.queryKey(), sharing),
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
}

function Off({ sharing: { tunnel, needs, trouble } }: { sharing: SharingState }) {
  const start = useSharingCall('start');
  const { off } = texts;
  return (
    <Card title={off.title} {...(trouble === null && { hint: off.what })}>
      <Stack gap="md" align="flex-start">
        {trouble !== null && (
          <Alert role="alert" color="red" icon={<IconAlertTriangle aria-hidden />}>
            {texts.troubles[trouble]}
          </Alert>
        )}
        {needs === 'install' ? (
          <Text>
            {off.install}{' '}
            <Anchor href={off.installAddress} target="_blank" rel="noreferrer" underline="always">
              {off.installLink}
            </Anchor>
            , {off.installAgain}
          </Text>
        ) : (
          <BusyButton
            size="md"
            working={start.isPending}
            onClick={start.mutate}
            leftSection={<IconWorldUp size={18} aria-hidden />}
          >
            {trouble === null ? off.start : texts.again}
          </BusyButton>
        )}
        <Text>{off.through[tunnel]}</Text>
        {needs === 'download' && <Text>{off.download}</Text>}
        <Text>{off.awake}</Text>
      </Stack>
    </Card>
  );
}

function Starting({ sharing }: { sharing: SharingState }) {
  const stop = useSharingCall('stop');
  const { address, enable, trouble, needs } = sharing;
  const { starting } = texts;
  const step = needs === 'download' ? starting.download : starting.program;
  return (
    <Card title={starting.title}>
      <Stack gap="md" align="flex-start">
        <Group role="status" gap="sm" wrap="nowrap">
          <Loader size="sm" aria-hidden />
          <Text style={{ overflowWrap: 'anywhere' }}>
            {address === null ? step : starting.reaching(address)}
          </Text>
        </Group>
        {enable !== null && (
          <Alert role="note" color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            <Stack gap="sm" align="flex-start">
              {starting.enable}
              <Button component="a" href={enable} target="_blank" rel="noreferrer">
                {starting.enableLink}
              </Button>
            </Stack>
          </Alert>
        )}
        {trouble !== null && (
          <Alert role="alert" color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            {texts.troubles[trouble]}
          </Alert>
        )}
        <BusyButton variant="default" working={stop.isPending} onClick={stop.mutate}>
          {starting.cancel}
        </BusyButton>
      </Stack>
    </Card>
  );
}

function Online({ sharing: { address, keeps_address, lost_address } }: { sharing: SharingState }) {
  const stop = useSharingCall('stop');
  const { online } = texts;
  const url = address ?? '';
  return (
    <>
      {lost_address !== null && <Lost before={lost_address} />}
      <Card title={online.title} hint={keeps_address ? online.keeps : online.changes}>
        <Stack gap="md" align="flex-start">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <QrCode value={url} title={texts.qr(url)} />
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconCopy size={18} aria-hidden />}
              onClick={() => void copyText(url, online.copied)}
            >
              {online.copy}
            </Button>
            {supportsShare({ url }) && (
              <Button
                leftSection={<IconShare3 size={18} aria-hidden />}
                // Called directly in the tap, because phones require a user gesture.
                onClick={() => void navigator.share({ url }).catch(() => undefined)}
              >
                {online.share}
              </Button>
            )}
          </Group>
          <Text>{texts.off.awake}</Text>
          <BusyButton
            variant="default"
            working={stop.isPending}
            leftSection={<IconWorldOff size={18} aria-hidden />}
            onClick={() =>
              confirmAction({
                question: online.stopQuestion,
                detail: online.stopDetail,
                confirmLabel: online.stop,
                onConfirm: stop.mutate,
              })
            }
          >
            {online.stop}
          </BusyButton>
        </Stack>
      </Card>
    </>
  );
}

function Lost({ before }: { before: string }) {
  const acknowledge = useSharingCall('given');
  return (
    <Alert role="alert" color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.lost.title}>
      <Stack gap="sm" align="flex-start">
        <Text>{texts.lost.detail(before)}</Text>
        <BusyButton variant="default" working={acknowledge.isPending} onClick={acknowledge.mutate}>
          {texts.lost.sent}
        </BusyButton>
      </Stack>
    </Alert>
  );
}
