import { useQuery } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import type { Viaggio } from '../../../../../domain/content.ts';
import { queries } from '../../../api.ts';

/** Returns the focus point and hues of a trip's picture; null until the list is read. */
export function usePicture(viaggio: Viaggio): Pick<MediaItem, 'fuoco' | 'hues'> {
  const slot = viaggio === 1 ? 'immagine' : 'immagine_2';
  const { data } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  return data?.find(({ attivo }) => attivo) ?? { fuoco: null, hues: null };
}
