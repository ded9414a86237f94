import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { CaptionMode } from '../../../../../domain/captions.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/captions.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { applyFile } from '../saved.ts';

/** Text of a film's captions, and when they are shown. */
export type CaptionsDraft = { text: string; mode: CaptionMode };

/** Reads the stored captions; '' if there are none. A URL's content never changes. */
export function useStoredCaptions(url: string | null) {
  return useQuery({
    queryKey: ['captions', url],
    queryFn: () => (url === null ? '' : textAt(url)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** @param onSaved receives the stored text and mode */
export function useSaveCaptions({ id }: MediaItem, onSaved: (written: CaptionsDraft) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, mode }: CaptionsDraft) => {
      const saved = await api.captions.save({ id, text, mode });
      applyFile(queryClient, 'video', saved);
      const url = saved.item.captions?.url ?? null;
      // They are saved even if reading them back fails.
      return { mode, text: url === null ? text : await textAt(url).catch(() => text) };
    },
    onSuccess: (written) => {
      toastSuccess(texts.saved);
      onSaved(written);
    },
  });
}

export function useRemoveCaptions({ id }: MediaItem, onRemoved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.captions.remove({ id }),
    onSuccess: (saved) => {
      applyFile(queryClient, 'video', saved);
      toastSuccess(texts.removed);
      onRemoved();
    },
    onError: (error) => toastError(messageOf(error, texts.removeFailed)),
  });
}

async function textAt(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`captions: ${answer.status}`);
  return answer.text();
}
