import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { api, queries } from '../api.ts';
import { messageOf } from '../failure.ts';

const openUntil = queries.rehearsal.openUntil;

/** Returns the expiry of the phone pass (ISO 8601), or null if there is none or it is unknown. */
export function useOpenUntil(): string | null {
  return useQuery(openUntil.queryOptions()).data?.scadenza ?? null;
}

/** Returns the phone pass, valid or new, with functions to renew and to revoke it. */
export function usePhonePass() {
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
export function useClosePass(onClosed?: () => void) {
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
