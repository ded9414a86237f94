import { z } from 'zod';
import { type FilmSound, filmSoundSchema } from '../../../contract/admin/media-item.ts';

const stored = z.array(filmSoundSchema);

/** The sounds that a film may be given, as its row tells them; none where it came with one. */
export function soundsIn(text: string | null): FilmSound[] {
  return text === null ? [] : (stored.safeParse(JSON.parse(text)).data ?? []);
}
