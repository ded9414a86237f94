import { NO_QUESTIONS } from '../../src/domain/configuration.ts';
import type { ReadinessFacts } from '../../src/domain/readiness-verdict.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS, NO_SECOND_TRIP, snapshotOf } from '../support/evenings.ts';

export type Preparation = ReadinessFacts['preparation'];

const NO_SECOND_CONTENT = {
  ...NO_SECOND_TRIP,
  frasi_finali_secondo_viaggio: [],
  titolo_destinazione_2: null,
  titolo_viaggio_2: null,
  data_partenza_2: null,
  data_ritorno_2: null,
  testo_istruzioni_biglietti_2: null,
  domanda_1_viaggio_2: null,
  domanda_2_viaggio_2: null,
};

/** Content of a second trip. */
export const SECOND_TRIP = Object.fromEntries(
  Object.entries({ ...FULL_CONFIGURATION, ...FULL_QUESTIONS }).filter(([name]) => name in NO_SECOND_CONTENT),
);

export const SETTINGS = {
  contatto: '@marco',
  data_laurea: '2027-03-06',
  footer_text: null,
  opens_at: null,
  keepsake_until: null,
  telegram_chat_id: '42',
  telegram_bot_token_masked: '••••abcd',
  smtp_host: null,
  smtp_user: null,
  smtp_password_kept: false,
  email_from: null,
  email_to: null,
};
export const NO_SETTINGS = {
  ...SETTINGS,
  contatto: null,
  data_laurea: null,
  telegram_chat_id: null,
  telegram_bot_token_masked: null,
};

/** A code that opens and stays valid. */
export const CODE = { attivo: true, scadenza: null, max_accessi: 1, accessi_usati: 0 };

/** Facts other than the configuration, without problems. */
export const OTHER_FACTS: Omit<Preparation, 'config' | 'questions'> = {
  usableCodes: 1,
  codes: [CODE],
  video: [],
  canzone: [],
  reach: 'public',
  unnamedProxy: false,
  begun: false,
  over: false,
  nameless: false,
  diskLow: false,
};

/** Returns the preparation of a complete evening of one trip, with these changes to configuration, questions and facts. */
export function prepared(changes: object = {}): Preparation {
  const changed = { ...NO_SECOND_CONTENT, ...changes };
  const of = (names: object) => Object.fromEntries(Object.entries(changed).filter(([name]) => name in names));
  const dates = { data_partenza: '6 marzo 2027', data_ritorno: '8 marzo 2027' };
  const config = { ...FULL_CONFIGURATION, ...dates, ...SETTINGS };
  return {
    ...OTHER_FACTS,
    ...of(OTHER_FACTS),
    config: { ...config, ...of(config) },
    questions: { ...FULL_QUESTIONS, ...of(FULL_QUESTIONS) },
  };
}

/** Returns the preparation of an empty evening. */
export function unprepared(): Preparation {
  const { config } = snapshotOf();
  const emptied = Object.entries(config).map(([name, value]) => [name, Array.isArray(value) ? [] : null]);
  return {
    ...prepared({ ...NO_SETTINGS, ...NO_QUESTIONS, ...Object.fromEntries(emptied) }),
    usableCodes: 0,
    codes: [],
    video: undefined,
    canzone: undefined,
  };
}
