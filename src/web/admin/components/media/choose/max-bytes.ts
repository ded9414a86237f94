import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media-slots.ts';
import { useSignedIn } from '../../../use-signed-in.ts';

/** The largest file a slot takes, in bytes; the video's is the installation's. */
export function useMaxBytes(slot: SlotName): number {
  const { data } = useSignedIn();
  const { kind, maxBytes } = MEDIA_SLOTS[slot];
  return kind === 'video' ? (data?.max_video_bytes ?? maxBytes) : maxBytes;
}
