import type { LightState } from '../../domain/light.ts';
import { humanSize } from './amounts.ts';

/** Seconds from which minutes are shown. */
const MINUTES_FROM_SECONDS = 90;

const starts = (seconds: number) =>
  seconds < MINUTES_FROM_SECONDS ? `parte in ${seconds} s` : `parte in ${Math.ceil(seconds / 60)} minuti`;

const STATES: Record<LightState, string> = {
  waiting: 'La sto preparando, quando nessun caricamento aspetta.',
  again: 'La preparo di nuovo, perché il video è cambiato.',
  made: 'Su una rete lenta si vede questa, così il video non si ferma.',
  needless: 'Questo video è già leggero.',
  refused: 'Da questo video non si può fare: si vede sempre il video intero.',
  failed: 'Non sono riuscito a prepararla: riprovo al prossimo avvio.',
};

/** Light version of a film (decision 011). */
export const lightTexts = {
  title: 'Versione leggera',
  titleOf: (nome: string) => `Versione leggera: ${nome}`,
  /**
   * @param size in bytes
   * @param seconds time until it starts on 4G
   */
  whole: (size: number, seconds: number) => `Video intero: ${figures(size, seconds)}`,
  light: (size: number, seconds: number) => `Video leggero: ${figures(size, seconds)}`,
  states: STATES,
  off: 'Spenta: si vede sempre il video intero, anche su una rete lenta.',
  changeFailed: 'Non sono riuscito a cambiare la versione leggera: riprova.',
} as const;

function figures(size: number, seconds: number): string {
  return `${humanSize(size)}, con il 4G ${starts(seconds)}`;
}
