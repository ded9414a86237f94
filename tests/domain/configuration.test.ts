import { expect, test } from 'vitest';
import { EMPTY, eachField } from '../../src/domain/configuration.ts';
import { IMAGE_SECONDS, PHRASE_SECONDS } from '../../src/domain/limits.ts';

test('before anything was saved the film runs at its own speed, and nothing is written', () => {
  expect(eachField(EMPTY)).toMatchObject({
    video_playback_rate: 1,
    video_url: null,
    frasi: [],
    frasi_finali: null,
    durata_frase_secondi: PHRASE_SECONDS.default,
    durata_immagine_destinazione_secondi: IMAGE_SECONDS.default,
    frasi_secondi_esatti: [],
  });
});
