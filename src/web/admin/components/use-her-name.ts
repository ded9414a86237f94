import { useQuery } from '@tanstack/react-query';
import { fillName, recipientName } from '../../../domain/recipient-name.ts';
import { queries } from '../api.ts';

/** Her name as it is saved, and what becomes of a text that is being written: what she will read. */
export function useRecipientName(): { name: string | null; said: (text: string) => string } {
  const config = useQuery(queries.config.read.queryOptions()).data;
  const name = config === undefined ? null : recipientName(config);
  return { name, said: (text) => fillName(text, name) };
}
