import { useQuery } from '@tanstack/react-query';
import { queries } from '../api.ts';

/** What the door knows before anybody has signed in: may somebody register, and with what? */
export function useDoor() {
  return useQuery(queries.door.queryOptions({ staleTime: 0 })).data;
}
