import type { MediaWarning } from '../contract/admin/media.ts';
import type { Configuration, Questions, SiteSettings } from '../contract/model.ts';
import { accessVerdict, endOfItalianDay, isSiteClosed, isTooEarly, type TokenState } from './access.ts';
import { isBlank } from './blank.ts';
import { channelsSetUp } from './channels.ts';
import {
  hasSecondTrip,
  hasSecondTripContent,
  NO_FILE_FACTS,
  shownPhrases,
  showsSecondTrip,
  tripOf,
  type Viaggio,
} from './content.ts';
import { CODE_EXPIRY_WARNING_MS } from './limits.ts';
import { LOUDNESS_WARNINGS } from './media.ts';
import type { Reach } from './reach.ts';
import {
  READINESS_IDS,
  type ReadinessId,
  type ReadinessItem,
  type ReadinessState,
  reasonTarget,
} from './readiness-reasons.ts';

export type Preparation = {
  config: Configuration &
    Pick<SiteSettings, 'contatto' | 'data_laurea' | 'footer_text' | 'opens_at'> &
    Parameters<typeof channelsSetUp>[0];
  questions: Questions;
  /** Number of codes that open now, as the server counts them. */
  usableCodes: number;
  /** All known codes. */
  codes: readonly TokenState[];
  /** Server's warnings about the film and the song in use; undefined while unknown. */
  video: readonly MediaWarning[] | undefined;
  canzone: readonly MediaWarning[] | undefined;
  /** Reach of the address that is handed over with a code; null if unknown. */
  reach: Reach | null;
  /** True if visits come through a proxy that is missing from TRUSTED_PROXIES. */
  unnamedProxy: boolean;
  /** True if a visit is under way or was completed. A code that no longer opens has then served its purpose, and so has the site. */
  begun: boolean;
  /** True if texts use the recipient's name but none is set. */
  nameless: boolean;
  /** True if the server's disk is almost full. */
  diskLow: boolean;
};

/** True for each item that is in place. Items that don't concern this surprise are absent. */
export type Checks = Partial<Record<ReadinessId, boolean>>;

/** Returns the checks of the preview's warning (spec 2) and of the visitor's access. */
export function requiredNow(preparation: Preparation, now: Date): Checks {
  const { config, begun } = preparation;
  return { ...requiredToPlay(config), ...(!begun && accessChecks(preparation, now)) };
}

/** Returns the checks without which no evening works (spec 2 «Preview»). */
export function requiredToPlay(config: Configuration): Checks {
  return { main_video: config.video_url !== null, post_phrases: shownPhrases(config.frasi).length > 0 };
}

function accessChecks({ config, usableCodes, codes, reach }: Preparation, now: Date): Checks {
  const someClosed = usableCodes === 0 && codes.length > 0;
  // No visit is under way or completed, so the last use was not the visitor's.
  const isUsedUp = codes.some((code) => accessVerdict(code, now) === 'CODE_EXHAUSTED');
  const closed: Checks = isUsedUp ? { code_taken: false } : { codes_closed: false };
  return {
    ...(config.data_laurea !== null && { site_open: !isSiteClosed(config.data_laurea, now) }),
    ...(someClosed ? closed : { usable_code: usableCodes > 0 }),
    ...(codes.length > 0 && reach === 'machine' && { address_here: false }),
  };
}

export function firstTripChecks(preparation: Preparation): Checks {
  const { config } = preparation;
  // With a second trip the first one's closing phrases are never shown (spec 4).
  const closes = !showsSecondTrip(preparation);
  return {
    pre_phrases: shownPhrases(config.frasi_pre_video).length > 0,
    song: config.canzone_url !== null,
    picture_1: config.immagine_destinazione_url !== null,
    titles_1: isWritten(config.titolo_destinazione) && isWritten(config.titolo_viaggio),
    tickets_1: config.biglietti_url !== null,
    dates_1: isWritten(config.data_partenza) && isWritten(config.data_ritorno),
    questions_1: hasQuestions(preparation, 1),
    ...(closes && { closing_phrases: hasAllClosings(config) }),
  };
}

export function secondTripChecks(preparation: Preparation): Checks {
  const { config } = preparation;
  if (!hasSecondTrip(preparation)) return {};
  return {
    phrases_2: shownPhrases(config.frasi_secondo_viaggio).length > 0,
    picture_2: config.immagine_destinazione_url_2 !== null,
    titles_2: isWritten(config.titolo_destinazione_2) && isWritten(config.titolo_viaggio_2),
    tickets_2: config.biglietti_url_2 !== null,
    dates_2: isWritten(config.data_partenza_2) && isWritten(config.data_ritorno_2),
    questions_2: hasQuestions(preparation, 2),
    final_phrases_2: shownPhrases(config.frasi_finali_secondo_viaggio).length > 0,
  };
}

export function settingsChecks({ config }: Preparation): Checks {
  return {
    notifications: Object.values(channelsSetUp(config)).includes(true),
    contact: isWritten(config.contatto),
    // Only the specification's footer names a graduation.
    ...(config.footer_text === null && { graduation_date: config.data_laurea !== null }),
  };
}

/** Checks that the code and the address will still open at the evening, on the visitor's network. */
export function codeChecks(preparation: Preparation, now: Date): Checks {
  const { codes, reach, begun } = preparation;
  const { data_laurea, opens_at } = preparation.config;
  if (begun) return {};
  // With a code, an address of this machine is the graver `address_here`.
  const isHere = codes.length > 0 && reach === 'machine';
  const address: Checks = isHere ? {} : { address: reach === 'public' };
  const opening = codes.filter((code) => accessVerdict(code, now) === 'ok');
  if (opening.length === 0) return address;
  const opens = (moment: number) => (code: TokenState) => accessVerdict(code, new Date(moment)) === 'ok';
  const opensAt = (moment: number) => opening.some(opens(moment));
  const graduation = endOfGraduation(data_laurea);
  const isAhead = graduation > now.getTime();
  const waits = isTooEarly(opens_at, now);
  return {
    ...address,
    ...(isAhead && { code_until_graduation: opensAt(graduation) }),
    ...(waits && {
      // Every usable code counts, because any of them may be the visitor's.
      code_at_opening: opening.every(opens(Date.parse(opens_at))),
      opening_before_closing: !isSiteClosed(data_laurea, new Date(opens_at)),
    }),
    ...(!isAhead && !waits && { code_soon: opensAt(now.getTime() + CODE_EXPIRY_WARNING_MS) }),
  };
}

/** Returns the end of the graduation day, as a timestamp in ms; 0 if no day is set. */
function endOfGraduation(data_laurea: string | null): number {
  return data_laurea === null ? 0 : endOfItalianDay(data_laurea);
}

/** Reports an unnamed proxy: all clients behind it share its address. Returns only failed checks. */
export function proxyChecks({ unnamedProxy }: Preparation): Checks {
  return unnamedProxy ? { proxy: false } : {};
}

const isUnfit = (warnings: readonly MediaWarning[]) =>
  warnings.includes('HEAVY') || warnings.includes('NOT_ON_OLD_IPHONES');

/** Reports only failed checks, because a song that was not measured has no known volume. */
const volumeOf = (warnings: readonly MediaWarning[]): Checks =>
  LOUDNESS_WARNINGS.some((each) => warnings.includes(each)) ? { song_volume: false } : {};

/** Checks that the film and the song play as intended on every phone. */
export function fileChecks({ config, video, canzone }: Preparation): Checks {
  return {
    ...(config.video_url !== null &&
      video && { video_sound: !video.includes('NO_SOUND'), video_weight: !video.includes('HEAVY') }),
    ...(config.canzone_url !== null && canzone && { song_file: !isUnfit(canzone), ...volumeOf(canzone) }),
  };
}

/** Reports unfinished content that would not be shown, a missing name that texts use, and a full disk. Returns only failed checks. */
export function incompleteChecks(preparation: Preparation): Checks {
  const { questions, diskLow, nameless } = preparation;
  const half = (one: string | null, other: string | null) => isWritten(one) !== isWritten(other);
  return {
    ...(diskLow && { disk_room: false }),
    ...(nameless && { her_name: false }),
    ...(!showsSecondTrip(preparation) && hasSomeClosings(preparation.config) && { closing_phrases: false }),
    ...(half(questions.domanda_1, questions.domanda_2) && { questions_1: false }),
    ...(isSecondTripUnseen(preparation) && { second_trip_unseen: false }),
    ...(hasSecondTrip(preparation) &&
      half(questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2) && { questions_2: false }),
  };
}

/** Returns true if content for a second trip exists but nothing that creates the trip, so it would never be seen. */
function isSecondTripUnseen(preparation: Preparation): boolean {
  // A trip that is switched off is hidden on purpose.
  const isUnset = preparation.config.secondo_viaggio === null;
  return isUnset && !hasSecondTrip(preparation) && hasSecondTripContent(preparation);
}

function hasQuestions({ config, questions }: Preparation, viaggio: Viaggio): boolean {
  return tripOf({ config, questions, ...NO_FILE_FACTS }, viaggio).domande !== null;
}

function hasAllClosings({ frasi_finali }: Configuration): boolean {
  return frasi_finali !== null && Object.values(frasi_finali).every(isWritten);
}

/** Returns true if some answers would have a closing phrase and others none. */
function hasSomeClosings({ frasi_finali }: Configuration): boolean {
  const written = Object.values(frasi_finali ?? {}).map(isWritten);
  return written.includes(true) && written.includes(false);
}

function isWritten(text: string | null): boolean {
  return text !== null && !isBlank(text);
}

/** Returns the readiness items: required, recommended, and complete ones. */
export function readiness(preparation: Preparation, now: Date): ReadinessItem[] {
  const states: ItemStates = {
    ...withMissingState('missing', requiredNow(preparation, now)),
    ...withMissingState('advice', firstTripChecks(preparation)),
    ...withMissingState('advice', secondTripChecks(preparation)),
    ...withMissingState('advice', settingsChecks(preparation)),
    ...withMissingState('warning', codeChecks(preparation, now)),
    ...withMissingState('warning', proxyChecks(preparation)),
    ...withMissingState('warning', fileChecks(preparation)),
    ...withMissingState('warning', incompleteChecks(preparation)),
  };
  return READINESS_IDS.flatMap((id) => {
    const state = states[id];
    return state === undefined ? [] : [{ id, state, page: reasonTarget(id).page }];
  });
}

type ItemStates = Partial<Record<ReadinessId, ReadinessState>>;

function withMissingState(state: ReadinessState, checks: Checks): ItemStates {
  return Object.fromEntries(Object.entries(checks).map(([id, isReady]) => [id, isReady ? 'ready' : state]));
}
