import { useQuery } from '@tanstack/react-query';
import type { SlotName } from '../../../domain/media-slots.ts';
import type { Preparation } from '../../../domain/readiness-checks.ts';
import { queries } from '../api.ts';
import { opensElsewhere, useSiteAddress } from '../site-address.ts';

/**
 * What the readiness list looks at, beside the numbers of the dashboard. It is there once everything was asked for, so that nothing is
 * called ready too early; where codes or files can't be read they are not spoken of.
 */
export function usePreparation(usableCodes: number) {
  const config = useQuery(queries.config.read.queryOptions());
  const questions = useQuery(queries.questions.read.queryOptions());
  const codes = useQuery(queries.tokens.list.queryOptions());
  const video = useWarnings('video');
  const canzone = useWarnings('canzone');
  const reachable = opensElsewhere(useSiteAddress());
  const failed = [config, questions].find(({ error, data }) => data === undefined && error !== null);
  const asking = codes.isPending || video.isPending || canzone.isPending;
  if (config.data === undefined || questions.data === undefined || asking)
    return { preparation: undefined, failed };
  const preparation: Preparation = {
    config: config.data,
    questions: questions.data,
    usableCodes,
    codes: codes.data ?? [],
    video: video.warnings,
    canzone: canzone.warnings,
    reachable,
  };
  return { preparation, failed: undefined };
}

/** What is amiss in the file a slot uses; undefined where that isn't known. */
function useWarnings(slot: SlotName) {
  const { data, isPending } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  return { isPending, warnings: data?.find(({ attivo }) => attivo)?.warnings };
}
