import type { QueryClient } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { listKey, withItem } from '../saved.ts';
import { beingMade } from './being-made.ts';
import { firstFrame } from './first-frame.ts';
import { sendPoster } from './send-poster.ts';

/**
 * Draws a poster for a new video and sends it. Where that fails the video is as good without one; its card says how to choose one by hand.
 * @param file the video as it was sent, where this page still has it: nothing need be fetched then
 */
export async function givePoster(
  queryClient: QueryClient,
  item: MediaItem,
  file: File | null,
): Promise<void> {
  const made = beingMade(item.id);
  try {
    const picture = (file && (await frameOfFile(file))) ?? (await firstFrame(item.url));
    if (picture !== null) await savePoster(queryClient, item, picture);
  } catch (error) {
    console.info('No poster could be made', error);
  } finally {
    made();
  }
}

/** Sends a picture as the poster of a video, and shows it: a list that was asked for before has none, and must not come after. */
export async function savePoster(queryClient: QueryClient, { id }: MediaItem, picture: Blob): Promise<void> {
  const item = await sendPoster(id, picture);
  const queryKey = listKey('video');
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (items) => items && withItem(items, item));
  void queryClient.invalidateQueries({ queryKey });
}

async function frameOfFile(file: File): Promise<Blob | null> {
  const url = URL.createObjectURL(file);
  try {
    return await firstFrame(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
