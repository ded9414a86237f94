import type { Selectable } from 'kysely';
import { drawnHuesSchema } from '../../../contract/records.ts';
import type { Fuoco } from '../../../domain/focus.ts';
import type { ImmaginiDestinazioneTable } from '../../db/media-tables.ts';

/** What is known of a destination's picture beside its bytes: the point that must stay visible, null for its middle; its hues, null until they are drawn. */
export type PictureFacts = { fuoco: Fuoco | null; hues: string[] | null };

type Row = Pick<Selectable<ImmaginiDestinazioneTable>, 'fuoco_x' | 'fuoco_y' | 'hues'>;

/** The same as its row tells it. What isn't a list of colours was never drawn. */
export function pictureFacts({ fuoco_x: x, fuoco_y: y, hues }: Row): PictureFacts {
  return {
    fuoco: x === null || y === null ? null : { x, y },
    hues: hues === null ? null : drawnHuesSchema.catch(null).parse(JSON.parse(hues)),
  };
}
