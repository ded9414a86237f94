import { useQuery } from '@tanstack/react-query';
import { fillName, recipientName } from '../../../domain/recipient-name.ts';
import { queries } from '../api.ts';

/** Returns the stored recipient's name, and a function that inserts it into a text as the visitor will read it. */
export function useRecipientName(): { name: string | null; personalize: (text: string) => string } {
  const config = useQuery(queries.config.read.queryOptions()).data;
  const name = config === undefined ? null : recipientName(config);
  return { name, personalize: (text) => fillName(text, name) };
}
