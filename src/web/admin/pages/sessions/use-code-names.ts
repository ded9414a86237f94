import { useQuery } from '@tanstack/react-query';
import { sessionsTexts } from '../../../../texts/admin/sessions.ts';
import { queries } from '../../api.ts';

/** Tells whose code it is: its name, that it was deleted, or nothing while the codes aren't there. */
export function useCodeNames(): (token_value: string) => string | undefined {
  const { data } = useQuery(queries.tokens.list.queryOptions());
  const names = data && new Map(data.map(({ token, nome }) => [token, nome]));
  return (token_value) => names && (names.get(token_value) ?? sessionsTexts.deletedCode);
}
