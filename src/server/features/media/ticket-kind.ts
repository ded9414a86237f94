import type { TicketPart } from '../../media-worker/door.ts';
import type { Media } from './media.service.ts';

/** Returns the format of stored tickets: a PDF or a picture. */
export function ticketKind({ content_type }: Pick<Media, 'content_type'>): TicketPart['kind'] {
  if (content_type === 'image/png') return 'png';
  return content_type === 'image/jpeg' ? 'jpg' : 'pdf';
}
