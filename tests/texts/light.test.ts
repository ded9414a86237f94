import { expect, it } from 'vitest';
import { lightTexts } from '../../src/texts/admin/light.ts';

it('says what each film needs on 4G, in seconds or minutes', () => {
  expect(lightTexts.original(31 * 1024 ** 2, 2)).toBe('Originale: 31 MB, con il 4G parte in 2 s');
  expect(lightTexts.light(7.5 * 1024 ** 2, 1)).toBe('Leggera: 7,5 MB, con il 4G parte in 1 s');
  expect(lightTexts.original(900 * 1024 ** 2, 91)).toBe('Originale: 900 MB, con il 4G parte in 2 minuti');
});

it('says where the light version stands', () => {
  expect(lightTexts.states).toEqual({
    waiting: 'La sto preparando, quando nessun caricamento aspetta.',
    again: 'La preparo di nuovo, perché il video è cambiato.',
    made: 'Su una rete lenta si vede questa, così il video non si ferma.',
    needless: 'Non serve: questo video è già leggero.',
    refused: 'Da questo video non si può fare: si vede sempre l’originale.',
    failed: 'Non sono riuscito a prepararla: riprovo al prossimo avvio.',
  });
});
