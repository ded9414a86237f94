import type { Selectable } from 'kysely';
import { drawnHuesSchema } from '../../../contract/model.ts';
import type { Fuoco } from '../../../domain/pictures.ts';
import type { ImmaginiDestinazioneTable } from '../../db/tables.ts';

/** Focus point of a destination's picture (null for its middle) and its hues (null until they are drawn). */
export type PictureFacts = { fuoco: Fuoco | null; hues: string[] | null };

type Row = Pick<Selectable<ImmaginiDestinazioneTable>, 'fuoco_x' | 'fuoco_y' | 'hues'>;

/** Returns the facts in a picture's row. Invalid hues count as not drawn. */
export function pictureFacts({ fuoco_x: x, fuoco_y: y, hues }: Row): PictureFacts {
  return {
    fuoco: x === null || y === null ? null : { x, y },
    hues: hues === null ? null : drawnHuesSchema.catch(null).parse(JSON.parse(hues)),
  };
}
