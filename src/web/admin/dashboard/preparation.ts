import { useQuery } from '@tanstack/react-query';
import type { SlotName } from '../../../domain/media-slots.ts';
import { phaseOf } from '../../../domain/phase.ts';
import type { Preparation } from '../../../domain/readiness-checks.ts';
import { eveningTexts } from '../../../texts/admin/dashboard.ts';
import { queries } from '../api.ts';
import { opensElsewhere, useSiteAddress } from '../site-address.ts';
import { useSignedIn } from '../use-signed-in.ts';

/** Where the surprise stands: waiting, under way, over; undefined until it is known. */
export function useEvening(now: Date) {
  const sessions = useQuery(queries.sessions.list.queryOptions());
  const answers = useQuery(queries.answers.list.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions());
  const failed = [sessions, answers].find(({ error, data }) => data === undefined && error !== null);
  if (sessions.data === undefined || answers.data === undefined || codes.isPending)
    return { evening: undefined, failed };
  const visits = [...sessions.data.attive, ...sessions.data.terminate];
  const known = { visits, answers: answers.data, codes: codes.data ?? [] };
  return { evening: { ...phaseOf(known, now), answers: answers.data }, failed: undefined };
}

/** What a code is called, by its text; a code that was deleted is called by it. */
export function useNames(): (token_value: string) => string {
  const codes = useQuery(queries.tokens.list.queryOptions()).data ?? [];
  return (token_value) =>
    codes.find(({ token }) => token === token_value)?.nome ?? eveningTexts.codeOf(token_value);
}

/** What the dashboard's own call says of it. */
export type Numbers = { token_utilizzabili: number; spazio_scarso: boolean };

/**
 * What the readiness list looks at, beside the numbers of the dashboard. It is there once everything was asked for, so that nothing is
 * called ready too early; where codes or files can't be read they are not spoken of.
 */
export function usePreparation({ token_utilizzabili, spazio_scarso }: Numbers, begun: boolean) {
  const config = useQuery(queries.config.read.queryOptions());
  const questions = useQuery(queries.questions.read.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions());
  const video = useWarnings('video');
  const canzone = useWarnings('canzone');
  const reachable = opensElsewhere(useSiteAddress());
  const unnamedProxy = typeof useSignedIn().data?.unnamed_proxy === 'string';
  const failed = [config, questions].find(({ error, data }) => data === undefined && error !== null);
  const asking = codes.isPending || video.isPending || canzone.isPending;
  if (config.data === undefined || questions.data === undefined || asking)
    return { preparation: undefined, failed };
  const preparation: Preparation = {
    config: config.data,
    questions: questions.data,
    usableCodes: token_utilizzabili,
    codes: codes.data ?? [],
    video: video.warnings,
    canzone: canzone.warnings,
    reachable,
    unnamedProxy,
    begun,
    diskLow: spazio_scarso,
  };
  return { preparation, failed: undefined };
}

/** What is amiss in the file a slot uses; undefined where that isn't known. */
function useWarnings(slot: SlotName) {
  const { data, isPending } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  return { isPending, warnings: data?.find(({ attivo }) => attivo)?.warnings };
}
