import { useQuery } from '@tanstack/react-query';
import { phaseOf } from '../../../domain/phase.ts';
import { eveningTexts } from '../../../texts/admin/dashboard.ts';
import { queries } from '../api.ts';

/** Returns the phase of the evening (waiting, running, over), or undefined until it is known. */
export function useEvening(now: Date) {
  const sessions = useQuery(queries.sessions.list.queryOptions());
  const answers = useQuery(queries.answers.list.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions());
  const config = useQuery(queries.config.read.queryOptions());
  const failed = [sessions, answers, config].find(({ error, data }) => data === undefined && error !== null);
  if (
    sessions.data === undefined ||
    answers.data === undefined ||
    config.data === undefined ||
    codes.isPending
  )
    return { evening: undefined, failed };
  const visits = [...sessions.data.attive, ...sessions.data.terminate];
  const { opens_at } = config.data;
  const known = { visits, answers: answers.data, codes: codes.data ?? [], opens_at };
  return { evening: { ...phaseOf(known, now), answers: answers.data }, failed: undefined };
}

/** Returns a function that maps a code's text to its name. A deleted code is named by its text. */
export function useNames(): (token_value: string) => string {
  const codes = useQuery(queries.tokens.list.queryOptions()).data ?? [];
  return (token_value) =>
    codes.find(({ token }) => token === token_value)?.nome ?? eveningTexts.codeOf(token_value);
}
