import { useQuery } from '@tanstack/react-query';
import type { Viaggio } from '../../../../../domain/content.ts';
import type { Fuoco } from '../../../../../domain/focus.ts';
import { queries } from '../../../api.ts';

/** The point of a trip's picture that stays visible; its middle (null) until the list has been read. */
export function useFocus(viaggio: Viaggio): Fuoco | null {
  const slot = viaggio === 1 ? 'immagine' : 'immagine_2';
  const { data } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  return data?.find(({ attivo }) => attivo)?.fuoco ?? null;
}
