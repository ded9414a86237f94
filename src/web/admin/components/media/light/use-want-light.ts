import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LightFilm } from '../../../../../contract/admin/light-film.ts';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { lightTexts as texts } from '../../../../../texts/admin/light.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { api } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { readAgain, takeOverItem } from '../saved.ts';

/** Whether a film's light version is wanted: as it is saved, or as it is just being saved. */
export function useWantLight({ id }: MediaItem, light: LightFilm) {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    // The keyboard is quick: one after the other, the last one stays.
    scope: { id: `light ${id}` },
    mutationFn: (on: boolean) => api.light.want({ id, on }),
    onSuccess: (saved) => takeOverItem(queryClient, 'video', saved),
    onError: (error) => {
      readAgain(queryClient, 'video');
      toastError(messageOf(error, texts.changeFailed));
    },
  });
  return { on: isPending ? variables : light.on, change: mutate };
}
