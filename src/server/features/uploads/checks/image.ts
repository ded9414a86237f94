import type { FileRefusal } from '../../../../contract/admin/media.ts';
import { PICTURE } from '../../../../domain/limits.ts';
import { isRefused, type Refused } from '../../../refused.ts';
import type { Check, Good } from '../checked.ts';
import { type Making, remake } from './remake.ts';
import { sniff } from './sniff.ts';

const SHOWN: Making = { side: PICTURE.side, quality: 84, colours: '4:2:0', lossless: 'transparent' };

/** A destination picture: JPEG or PNG, made anew in the size a phone needs. */
export const checkImage: Check = (places) => checkPicture(places, SHOWN, 'FILE_NOT_IMAGE');

/** A frame of a video that the browser drew: nothing but JPEG. */
export const checkPoster: Check = async (places) => {
  if ((await sniff(places.path)) !== 'image/jpeg') return { refused: 'FILE_NOT_IMAGE' };
  return checkPicture(places, SHOWN, 'FILE_NOT_IMAGE');
};

const OTHERS: Record<string, FileRefusal> = {
  'image/heic': 'FILE_HEIC',
  'image/heif': 'FILE_HEIC',
  'image/heic-sequence': 'FILE_HEIC',
  'image/heif-sequence': 'FILE_HEIC',
  'image/svg+xml': 'FILE_SVG',
};

/** @param otherwise what is said of a file that is no picture at all */
export async function checkPicture(
  { path, made }: { path: string; made: string },
  making: Making,
  otherwise: FileRefusal,
): Promise<Good | Refused<FileRefusal>> {
  const type = await sniff(path);
  if (type !== 'image/jpeg' && type !== 'image/png' && type !== 'image/apng')
    return { refused: OTHERS[type ?? ''] ?? otherwise };
  const remade = await remake(path, made, making);
  return isRefused(remade) ? remade : { path: made, warnings: [], ...remade };
}
