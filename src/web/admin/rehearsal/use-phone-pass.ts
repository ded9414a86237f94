import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { api, queries } from '../api.ts';
import { messageOf } from '../failure.ts';

const openUntil = queries.rehearsal.openUntil;

/** Until when phones may come in (ISO 8601), or null: none may, or it isn't known yet. */
export function useOpenUntil(): string | null {
  return useQuery(openUntil.queryOptions()).data?.scadenza ?? null;
}

/** The pass for phones: the one that is good or else a new one, made anew when asked, and taken back. */
export function usePhonePass() {
  const queryClient = useQueryClient();
  const [closed, setClosed] = useState(false);
  const options = queries.rehearsal.pass.queryOptions({
    input: {},
    // It is asked for when the dialog opens, and forgotten with it.
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
    onError: (failed) => toastError(messageOf(failed, texts.passFailed)),
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

/** Takes the pass back. @param onClosed called when it no longer is good */
export function useClosePass(onClosed?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.rehearsal.close(),
    onSuccess: () => {
      queryClient.setQueryData(openUntil.queryKey(), { scadenza: null });
      onClosed?.();
      toastSuccess(texts.phoneClosed);
    },
    onError: (failed) => toastError(messageOf(failed, texts.closeFailed)),
  });
}
