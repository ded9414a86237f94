import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DetailedError, Upload as TusUpload } from 'tus-js-client';
import type { ProcessingUpload } from '../../../../../contract/admin/media.ts';
import type { SlotName } from '../../../../../domain/media.ts';
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
/** Uploads cancelled on this page; their end is not reported. */
const stopped = new Set<string>();

/** Returns the uploads the server processes or refused, from any page or device. `watch.ts` refetches them. */
export function useProcessingUploads(): readonly ProcessingUpload[] {
  return useQuery(queries.media.arrived.queryOptions()).data ?? NONE;
}

/** Returns those of one slot. */
export function useProcessingInSlot(slot: SlotName): readonly ProcessingUpload[] {
  return useProcessingUploads().filter((one) => one.slot === slot);
}

/** Shows an upload whose last byte was sent, before the server reports it. */
export function addCompletedUpload(queryClient: QueryClient, completed: CompletedUpload): void {
  upsertProcessing(queryClient, {
    ...completed,
    state: 'working',
    waiting: true,
    progress: 0,
    secondsLeft: null,
  });
  void queryClient.invalidateQueries({ queryKey });
}

/** Adds an upload to the list or updates it. */
export function upsertProcessing(queryClient: QueryClient, arrived: ProcessingUpload): void {
  queryClient.setQueryData(queryKey, (list) => [...without(list, arrived), arrived]);
}

/** Returns true if the upload was cancelled on this page. */
export function isStopped({ upload }: ProcessingUpload): boolean {
  return stopped.has(upload);
}

/** «Ho capito»: deletes the refusal here and on the server. @param onRemoved called when it is off the list */
export function useDismiss(onRemoved?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ upload }: ProcessingUpload) =>
      api.media.dismiss({ upload }).catch((error: unknown) => {
        // Another window has already dismissed it.
        if (!isRefusal(error, 'NOT_FOUND')) throw error;
      }),
    onSuccess: (_, arrived) => {
      queryClient.setQueryData(queryKey, (list) => without(list, arrived));
      onRemoved?.();
    },
    onError: (error) => toastError(messageOf(error, uploadTexts.dismissFailed)),
  });
}

/** «Riprova»: makes the server resume a stopped upload. */
export function useRetryProcessing() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ upload }: ProcessingUpload) => api.media.finish({ upload }),
    // Includes the file list, for files stored at once.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queries.media.key() }),
    onError: (error) => {
      toastError(messageOf(error, uploadTexts.againFailed));
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

/** Cancels the processing of an upload and frees its space on the server. @param onRemoved called when it is off the list */
export function useCancelProcessing(onRemoved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ upload }: ProcessingUpload) => {
      stopped.add(upload);
      const options = { httpStack: authRetryStack, retryDelays: null };
      await TusUpload.terminate(uploadUrl(upload), options);
    },
    onSuccess: (_, arrived) => {
      queryClient.setQueryData(queryKey, (list) => without(list, arrived));
      onRemoved();
    },
    onError: (error, { upload }) => {
      stopped.delete(upload);
      // It has just ended; `watch.ts` reports its end.
      if (!isMissing(error)) toastError(uploadTexts.stopFailed);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

function isMissing(error: Error): boolean {
  const status = error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined;
  return status === 404 || status === 410;
}

function without(
  list: readonly ProcessingUpload[] | undefined,
  { upload }: ProcessingUpload,
): ProcessingUpload[] {
  return (list ?? []).filter((other) => other.upload !== upload);
}
