import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DetailedError, Upload as TusUpload } from 'tus-js-client';
import type { ProcessingUpload } from '../../../../../contract/admin/media-processing.ts';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { uploadTexts } from '../../../../../texts/admin/uploads.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { isRefusal, messageOf } from '../../../failure.ts';
import type { CompletedUpload } from '../uploads/job.ts';
import { uploadUrl } from '../uploads/own-address.ts';
import { authRetryStack } from '../uploads/signed-in-stack.ts';

export type AtWork = Extract<ProcessingUpload, { state: 'working' }>;

const NONE: readonly ProcessingUpload[] = [];
const queryKey = queries.media.arrived.queryKey();
/** Uploads that this page has stopped: their end is no news. */
const stopped = new Set<string>();

/** What the server is at and what it refused, whatever page or device sent it; `watch.ts` has it read again. */
export function useProcessingUploads(): readonly ProcessingUpload[] {
  return useQuery(queries.media.arrived.queryOptions()).data ?? NONE;
}

/** The same of one slot. */
export function useProcessingInSlot(slot: SlotName): readonly ProcessingUpload[] {
  return useProcessingUploads().filter((one) => one.slot === slot);
}

/** Shows an upload whose last byte was just sent, before the server tells of it. */
export function addCompletedUpload(queryClient: QueryClient, whole: CompletedUpload): void {
  upsertProcessing(queryClient, {
    ...whole,
    state: 'working',
    waiting: true,
    progress: 0,
    secondsLeft: null,
  });
  void queryClient.invalidateQueries({ queryKey });
}

/** Puts an upload on the list, or what is newly known of it. */
export function upsertProcessing(queryClient: QueryClient, arrived: ProcessingUpload): void {
  queryClient.setQueryData(queryKey, (list) => [...without(list, arrived), arrived]);
}

/** Is the end of this upload what somebody wanted here? */
export function isStopped({ upload }: ProcessingUpload): boolean {
  return stopped.has(upload);
}

/** «Ho capito»: the refusal is forgotten, here and on the server. @param onTaken called when it is off the list */
export function useDismiss(onTaken?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ upload }: ProcessingUpload) =>
      api.media.dismiss({ upload }).catch((error: unknown) => {
        // In another window it has been read already.
        if (!isRefusal(error, 'NOT_FOUND')) throw error;
      }),
    onSuccess: (_, arrived) => {
      queryClient.setQueryData(queryKey, (list) => without(list, arrived));
      onTaken?.();
    },
    onError: (error) => toastError(messageOf(error, uploadTexts.dismissFailed)),
  });
}

/** «Riprova»: has the server go on with an upload that something kept it from. */
export function useRetryProcessing() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ upload }: ProcessingUpload) => api.media.finish({ upload }),
    // What was kept at once is on its list.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queries.media.key() }),
    onError: (error) => {
      toastError(messageOf(error, uploadTexts.againFailed));
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

/** Stops the work on an upload and frees what it took on the server. @param onTaken called when it is off the list */
export function useCancelProcessing(onTaken: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ upload }: ProcessingUpload) => {
      stopped.add(upload);
      const options = { httpStack: authRetryStack, retryDelays: null };
      await TusUpload.terminate(uploadUrl(upload), options);
    },
    onSuccess: (_, arrived) => {
      queryClient.setQueryData(queryKey, (list) => without(list, arrived));
      onTaken();
    },
    onError: (error, { upload }) => {
      stopped.delete(upload);
      // It has just ended: its end will be told.
      if (!isGone(error)) toastError(uploadTexts.stopFailed);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

function isGone(error: Error): boolean {
  const status = error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined;
  return status === 404 || status === 410;
}

function without(
  list: readonly ProcessingUpload[] | undefined,
  { upload }: ProcessingUpload,
): ProcessingUpload[] {
  return (list ?? []).filter((other) => other.upload !== upload);
}
