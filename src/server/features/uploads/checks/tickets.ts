import { PICTURE } from '../../../../domain/limits.ts';
import { isRefused } from '../../../refused.ts';
import type { Check } from '../checked.ts';
import { checkPicture } from './image.ts';
import { checkPdf } from './pdf.ts';
import { sniff } from './sniff.ts';

/** Codes on tickets are read by machines: nothing of them may blur. */
const READABLE = { side: PICTURE.ticketsSide, quality: 94, colours: '4:4:4', lossless: 'always' } as const;

/** Tickets: a PDF is kept as it is, a picture is made anew in full sharpness. */
export const checkTickets: Check = async (places, { signal }) => {
  if ((await sniff(places.path)) !== 'application/pdf')
    return checkPicture(places, READABLE, 'FILE_NOT_TICKETS');
  const checked = await checkPdf(places.path, signal);
  if (isRefused(checked)) return checked;
  return { path: places.path, extension: 'pdf', content_type: 'application/pdf', warnings: [] };
};
