import type { TicketPart } from '../../media-worker/door.ts';
import type { Media } from './media.service.ts';

/** What stored tickets are: a PDF, or a picture of them. */
export function ticketKind({ content_type }: Pick<Media, 'content_type'>): TicketPart['kind'] {
  if (content_type === 'image/png') return 'png';
  return content_type === 'image/jpeg' ? 'jpg' : 'pdf';
}
