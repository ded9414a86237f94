import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ProcessingUpload } from '../../../../../contract/admin/media.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { errorSentences } from '../../../../../texts/errors.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { isRefusal } from '../../../failure.ts';
import { isSignedOut } from '../../../signed-out.ts';
import { applyFile } from '../saved.ts';
import { type AtWork, isStopped, upsertProcessing } from './arrived.ts';

/** Poll interval while the server processes a file, in ms. */
const POLL_MS = 1_000;

const NONE: readonly ProcessingUpload[] = [];

/** Follows the processing of uploads and reports how each ends; used once, in the layout. */
export function useWatchProcessing(): void {
  const queryClient = useQueryClient();
  const { data = NONE } = useQuery(
    queries.media.arrived.queryOptions({
      refetchInterval: ({ state }) =>
        state.data?.some(isAtWork) === true && !isSignedOut() ? POLL_MS : false,
    }),
  );
  const before = useRef(NONE);
  useEffect(() => {
    const { gone, refused } = endedSince(before.current, data);
    before.current = data;
    for (const one of refused) toastError(errorSentences[one.codice]);
    for (const one of gone) if (!isStopped(one)) void reportEnd(queryClient, one);
  }, [data, queryClient]);
}

/** Returns the uploads that ended between two polls: refused ones, and those no longer on the list. */
export function endedSince(before: readonly ProcessingUpload[], now: readonly ProcessingUpload[]) {
  const worked = before.filter(isAtWork);
  const upload = new Set(worked.map((one) => one.upload));
  const listed = new Set(now.map((one) => one.upload));
  return {
    gone: worked.filter((one) => !listed.has(one.upload)),
    refused: now.filter((one) => one.state === 'refused').filter((one) => upload.has(one.upload)),
  };
}

/** Reports the end of an upload that left the list: it was stored, or cancelled elsewhere. */
async function reportEnd(queryClient: QueryClient, one: AtWork): Promise<void> {
  try {
    const end = await api.media.finish({ upload: one.upload });
    // The list was read before this upload was on it.
    if (end.state === 'working') return upsertProcessing(queryClient, { ...one, ...end });
    applyFile(queryClient, one.slot, end);
    toastSuccess(slotTexts[one.slot].uploaded);
  } catch (error) {
    // The result is unknown; putting it back on the list makes the next poll ask again.
    if (!isRefusal(error, 'NOT_FOUND')) upsertProcessing(queryClient, one);
  }
}

function isAtWork(one: ProcessingUpload): one is AtWork {
  return one.state === 'working';
}
