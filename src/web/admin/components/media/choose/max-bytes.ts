import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media-slots.ts';
import { useSignedIn } from '../../../use-signed-in.ts';

/** Returns the maximum file size of a slot in bytes. The installation sets the video's. */
export function useMaxBytes(slot: SlotName): number {
  const { data } = useSignedIn();
  const { kind, maxBytes } = MEDIA_SLOTS[slot];
  return kind === 'video' ? (data?.max_video_bytes ?? maxBytes) : maxBytes;
}
