import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { openModal } from '@mantine/modals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { IconDeviceMobile, IconPlayerPlay } from '../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { api, queries } from '../api.ts';
import { ErrorState } from '../components/error-state.tsx';
import { PassCode, passLink } from '../components/pass-code.tsx';
import { PageSection } from '../components/place/place.tsx';
import { messageOf } from '../failure.ts';

const { openUntil } = queries.rehearsal;

/** «Prova generale»: starts a rehearsal on this screen, or on a phone by QR code (decision 014). */
export function StartCard() {
  return (
    <Paper withBorder p="md">
      <PageSection id="prova" title={texts.cardTitle}>
        <Text maw="40rem">{texts.cardText}</Text>
        <Group>
          {/* A plain link, because `/prova` is a separate document without the administration. */}
          <Button component="a" href="/prova" leftSection={<IconPlayerPlay size={18} aria-hidden />}>
            {texts.here}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDeviceMobile size={18} aria-hidden />}
            onClick={openPass}
          >
            {texts.onPhone}
          </Button>
        </Group>
        <PhoneOpen />
      </PageSection>
    </Paper>
  );
}

function openPass() {
  openModal({ title: texts.onPhone, children: <PhonePass /> });
}

/** Expiry of the open phone pass, with a button to close it. */
function PhoneOpen() {
  const scadenza = useQuery(openUntil.queryOptions()).data?.scadenza;
  return scadenza == null ? null : <OpenUntil scadenza={scadenza} />;
}

function OpenUntil({ scadenza }: { scadenza: string }) {
  const isExpired = useIsOver(scadenza);
  const { mutate, isPending } = useClosePass();
  if (isExpired) return null;
  return (
    <Group>
      <Text>{texts.phoneOpen(scadenza)}</Text>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {texts.closePhone}
      </Button>
    </Group>
  );
}

/** The valid pass as a QR code and as a link, with buttons to renew and to close it. */
function PhonePass() {
  const { pass, error, closed, making, closing, retry, renew, close } = usePhonePass();
  if (error !== null) return <ErrorState error={error} fallback={texts.passFailed} onRetry={retry} />;
  if (pass === undefined || making) return <PassLoader />;
  if (closed) return <EndedPass sentence={texts.phoneClosed} onNew={renew} />;
  return (
    <Pass
      link={passLink('/prova', pass)}
      scadenza={pass.scadenza}
      onNew={renew}
      onClose={close}
      closing={closing}
    />
  );
}

function PassLoader() {
  return (
    <Stack align="center" py="xl" role="status">
      <Loader aria-hidden />
      <Text>{texts.makingPass}</Text>
    </Stack>
  );
}

type PassProps = { link: URL; scadenza: string; onNew: () => void; onClose: () => void; closing: boolean };

function Pass({ link, scadenza, onNew, onClose, closing }: PassProps) {
  const isExpired = useIsOver(scadenza);
  if (isExpired) return <EndedPass sentence={texts.expired} onNew={onNew} />;
  return (
    <PassCode link={link} texts={texts} until={texts.validUntil(scadenza)} rule={texts.passRule}>
      <Group justify="center">
        <Button variant="default" onClick={onNew}>
          {texts.newPass}
        </Button>
        <Button variant="default" loading={closing} onClick={onClose}>
          {texts.closePhone}
        </Button>
      </Group>
    </PassCode>
  );
}

function EndedPass({ sentence, onNew }: { sentence: string; onNew: () => void }) {
  return (
    <Stack align="center" py="lg">
      <Text role="status">{sentence}</Text>
      <Button onClick={onNew}>{texts.newPass}</Button>
    </Stack>
  );
}

/** Returns the phone pass, valid or new, with functions to renew and to revoke it. */
function usePhonePass() {
  const queryClient = useQueryClient();
  const [closed, setClosed] = useState(false);
  const options = queries.rehearsal.pass.queryOptions({
    input: {},
    // Requested when the dialog opens, and not cached after it closes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, error, isFetching, refetch } = useQuery(options);
  const renewal = useMutation({
    mutationFn: () => api.rehearsal.pass({ anew: true }),
    onSuccess: (pass) => {
      queryClient.setQueryData(options.queryKey, pass);
      setClosed(false);
    },
    onError: (cause) => toastError(messageOf(cause, texts.passFailed)),
  });
  const closing = useClosePass(() => setClosed(true));
  useEffect(() => {
    if (data !== undefined) queryClient.setQueryData(openUntil.queryKey(), { scadenza: data.scadenza });
  }, [data, queryClient]);
  return {
    pass: data,
    error: isFetching ? null : error,
    closed,
    making: isFetching || renewal.isPending,
    closing: closing.isPending,
    retry: () => void refetch(),
    renew: () => renewal.mutate(),
    close: () => closing.mutate(),
  };
}

/** Revokes the pass. @param onClosed called when it is no longer valid */
function useClosePass(onClosed?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.rehearsal.close(),
    onSuccess: () => {
      queryClient.setQueryData(openUntil.queryKey(), { scadenza: null });
      onClosed?.();
      toastSuccess(texts.phoneClosed);
    },
    onError: (cause) => toastError(messageOf(cause, texts.closeFailed)),
  });
}

/** Returns true once this time has passed, and rerenders then. @param moment ISO 8601 */
function useIsOver(moment: string): boolean {
  const [endedMoment, setEndedMoment] = useState<string | null>(null);
  useEffect(() => {
    const remainingMs = Date.parse(moment) - Date.now();
    const timer = setTimeout(() => setEndedMoment(moment), Math.max(0, remainingMs));
    return () => clearTimeout(timer);
  }, [moment]);
  return endedMoment === moment;
}
