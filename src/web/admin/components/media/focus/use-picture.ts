import { useQuery } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { Viaggio } from '../../../../../domain/content.ts';
import { queries } from '../../../api.ts';

/** What is known of a trip's picture: the point that stays visible and its hues. Nothing (null) until the list has been read. */
export function usePicture(viaggio: Viaggio): Pick<MediaItem, 'fuoco' | 'hues'> {
  const slot = viaggio === 1 ? 'immagine' : 'immagine_2';
  const { data } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  return data?.find(({ attivo }) => attivo) ?? { fuoco: null, hues: null };
}
