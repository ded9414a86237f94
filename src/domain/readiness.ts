import { isSiteClosed } from './access.ts';
import {
  type Configuration,
  hasSecondTrip,
  type Questions,
  shownPhrases,
  tripOf,
  type Viaggio,
} from './content.ts';

/** Everything the readiness list can speak of, in the order in which it does. */
export const READINESS_IDS = [
  'site_open',
  'main_video',
  'post_phrases',
  'usable_code',
  'pre_phrases',
  'song',
  'picture_1',
  'tickets_1',
  'dates_1',
  'questions_1',
  'closing_phrases',
  'second_trip_unseen',
  'phrases_2',
  'picture_2',
  'tickets_2',
  'dates_2',
  'questions_2',
  'final_phrases_2',
  'notifications',
  'contact',
] as const;
export type ReadinessId = (typeof READINESS_IDS)[number];

/** `missing`: without it nobody can enter or the evening doesn't work. `advice`: it works, and would be better with it. */
export type ReadinessState = 'missing' | 'advice' | 'ready';

export type ReadinessItem = { id: ReadinessId; state: ReadinessState; page: ReadinessPage };

/** Where each of them is put right. */
export const READINESS_PAGE = {
  site_open: '/admin/notifiche',
  main_video: '/admin/video',
  post_phrases: '/admin/frasi',
  usable_code: '/admin/token',
  pre_phrases: '/admin/frasi',
  song: '/admin/musica',
  picture_1: '/admin/immagine',
  tickets_1: '/admin/immagine',
  dates_1: '/admin/immagine',
  questions_1: '/admin/checkbox',
  closing_phrases: '/admin/frasi-finali',
  second_trip_unseen: '/admin/second-trip-details',
  phrases_2: '/admin/second-trip-phrases',
  picture_2: '/admin/second-trip-details',
  tickets_2: '/admin/second-trip-details',
  dates_2: '/admin/second-trip-details',
  questions_2: '/admin/second-trip-checkbox',
  final_phrases_2: '/admin/second-trip-final-phrases',
  notifications: '/admin/notifiche',
  contact: '/admin/notifiche',
} as const satisfies Record<ReadinessId, `/admin/${string}`>;
export type ReadinessPage = (typeof READINESS_PAGE)[ReadinessId];

export type Preparation = {
  config: Configuration & {
    contatto: string | null;
    data_laurea: string | null;
    telegram_chat_id: string | null;
    telegram_bot_token_masked: string | null;
  };
  questions: Questions;
  /** Codes that would open now. */
  usableCodes: number;
};

/** How far the surprise is prepared: what it can't do without, what it would be better with, and what is there. */
export function readiness(preparation: Preparation, now: Date): ReadinessItem[] {
  const needed = neededNow(preparation, now);
  const wished = { ...firstTrip(preparation), ...secondTrip(preparation), ...around(preparation) };
  return READINESS_IDS.flatMap((id) => {
    const need = needed[id];
    const there = need ?? wished[id];
    if (there === undefined) return [];
    const state = there ? 'ready' : need === undefined ? 'advice' : 'missing';
    return [{ id, state, page: READINESS_PAGE[id] }];
  });
}

/** Is each of them there? What doesn't concern this surprise is left out. */
type Findings = Partial<Record<ReadinessId, boolean>>;

/** The preview's warning (spec 2), and the two doors that may be closed. */
function neededNow({ config, usableCodes }: Preparation, now: Date): Findings {
  return {
    ...(config.data_laurea !== null && { site_open: !isSiteClosed(config.data_laurea, now) }),
    main_video: config.video_url !== null,
    post_phrases: shownPhrases(config.frasi).length > 0,
    usable_code: usableCodes > 0,
  };
}

function firstTrip(preparation: Preparation): Findings {
  const { config } = preparation;
  // With a second trip the first one's closing phrases are never shown (spec 4.8).
  const closes = !hasSecondTrip(preparation);
  return {
    pre_phrases: shownPhrases(config.frasi_pre_video).length > 0,
    song: config.canzone_url !== null,
    picture_1: config.immagine_destinazione_url !== null,
    tickets_1: config.biglietti_url !== null,
    dates_1: isWritten(config.data_partenza) && isWritten(config.data_ritorno),
    questions_1: asks(preparation, 1),
    ...(closes && { closing_phrases: closesEveryWay(config) }),
  };
}

function secondTrip(preparation: Preparation): Findings {
  const { config } = preparation;
  if (!hasSecondTrip(preparation))
    return { ...(preparedForTheSecond(preparation) && { second_trip_unseen: false }) };
  return {
    phrases_2: shownPhrases(config.frasi_secondo_viaggio).length > 0,
    picture_2: config.immagine_destinazione_url_2 !== null,
    tickets_2: config.biglietti_url_2 !== null,
    dates_2: isWritten(config.data_partenza_2) && isWritten(config.data_ritorno_2),
    questions_2: asks(preparation, 2),
    final_phrases_2: shownPhrases(config.frasi_finali_secondo_viaggio).length > 0,
  };
}

function around({ config }: Preparation): Findings {
  return {
    notifications: config.telegram_bot_token_masked !== null && isWritten(config.telegram_chat_id),
    contact: isWritten(config.contatto),
  };
}

/** Something was written for a second trip, but nothing of what makes one (decision 12): it would never be seen. */
function preparedForTheSecond({ config, questions }: Preparation): boolean {
  const lists = [config.frasi_tra_viaggi, config.frasi_finali_secondo_viaggio];
  const texts = [
    config.titolo_destinazione_2,
    config.titolo_viaggio_2,
    config.data_partenza_2,
    config.data_ritorno_2,
    config.testo_istruzioni_biglietti_2,
    questions.domanda_1_viaggio_2,
    questions.domanda_2_viaggio_2,
  ];
  return lists.some((list) => shownPhrases(list).length > 0) || texts.some(isWritten);
}

function asks({ config, questions }: Preparation, viaggio: Viaggio): boolean {
  return tripOf({ config, questions, poster_url: null }, viaggio).domande !== null;
}

function closesEveryWay({ frasi_finali }: Configuration): boolean {
  return frasi_finali !== null && Object.values(frasi_finali).every(isWritten);
}

function isWritten(text: string | null): boolean {
  return text !== null && text.trim() !== '';
}
