import type { Findings } from '../contract/diagnosis.ts';
import { DAY_MS } from './limits.ts';
import { keysOf } from './records.ts';

export type { Findings } from '../contract/diagnosis.ts';

/** Steps of `/diagnostica` in order, with the finding that a completed one must have. */
export const DIAGNOSIS_STEPS = {
  phone: 'in_app',
  line: 'mbit',
  film: 'film',
  song: 'song_heard',
  fade: 'faded',
  sound: 'heard',
  picture: 'fills',
  buttons: 'buttons',
  turn: 'turned',
  back: 'back_held',
  away: 'away',
  lock: 'lock',
  ticket: 'ticket',
} as const satisfies Record<string, keyof Findings>;
export type DiagnosisStep = keyof typeof DIAGNOSIS_STEPS;

/** Steps without which a phone can't be called ready. */
const ESSENTIAL: readonly DiagnosisStep[] = ['film', 'sound', 'song'];

/**
 * Limits of `/diagnostica`: validity of a pass in ms (phones are tested days before), stored passes and tested phones (the newest of each),
 * and maximum characters of a phone's name and of its user agent. Separate from limits.ts, because the access screen loads that file.
 */
export const DIAGNOSIS = {
  passMs: 7 * DAY_MS,
  passes: 20,
  phones: 20,
  nameSigns: 60,
  userAgentSigns: 300,
} as const;
/** Megabits per second required by a film's light version and by the full one (decision 011). */
export const REQUIRED_MBIT = { light: 1.5, full: 8 } as const;
/** Delay in ms from which a user wonders if the page works. */
const LATE_MS = { line: 1_000, film: 3_000 } as const;
/** Text size from which a phrase fills the screen. */
const HUGE_LETTERS = 2;

type FaultSeverity = 'bad' | 'beware';
type Fault = { weight: FaultSeverity; applies: (findings: Findings) => boolean };

const within = (value: number | undefined, from: number, below: number) =>
  value !== undefined && value >= from && value < below;

/** Faults that may affect the evening, most severe first. */
const FAULTS = {
  cookies_lost: { weight: 'bad', applies: ({ cookies }) => cookies === false },
  line_none: { weight: 'bad', applies: ({ mbit }) => mbit === 0 },
  line_slow: { weight: 'bad', applies: ({ mbit }) => mbit !== 0 && within(mbit, 0, REQUIRED_MBIT.light) },
  film_refused: { weight: 'bad', applies: ({ film }) => film === 'refused' },
  film_failed: { weight: 'bad', applies: ({ film }) => film === 'failed' },
  own_player: { weight: 'bad', applies: ({ full_screen }) => full_screen === 'phone' },
  sound_undecoded: { weight: 'bad', applies: ({ audio_decoded }) => audio_decoded === false },
  silent: { weight: 'bad', applies: ({ heard }) => heard === 'no' },
  song_stuck: { weight: 'bad', applies: ({ song }) => song === 'stuck' },
  song_silent: { weight: 'bad', applies: ({ song, song_heard }) => song !== 'stuck' && song_heard === 'no' },
  away_stuck: { weight: 'bad', applies: ({ away }) => away === 'stuck' },
  lock_stuck: { weight: 'bad', applies: ({ lock }) => lock === 'stuck' },
  in_app: { weight: 'beware', applies: ({ in_app }) => in_app === true },
  storage_lost: { weight: 'beware', applies: ({ storage }) => storage === false },
  low_power: { weight: 'beware', applies: ({ low_power }) => low_power === true },
  saves_data: { weight: 'beware', applies: ({ saves_data }) => saves_data === true },
  line_light: {
    weight: 'beware',
    applies: ({ mbit }) => within(mbit, REQUIRED_MBIT.light, REQUIRED_MBIT.full),
  },
  line_late: { weight: 'beware', applies: ({ delay_ms }) => (delay_ms ?? 0) > LATE_MS.line },
  film_stopped: { weight: 'beware', applies: ({ film }) => film === 'stopped' },
  film_late: { weight: 'beware', applies: ({ first_frame_ms }) => (first_frame_ms ?? 0) > LATE_MS.film },
  not_filled: { weight: 'beware', applies: ({ fills }) => fills === 'no' },
  buttons_seen: { weight: 'beware', applies: ({ buttons }) => buttons === 'yes' },
  sleeps: { weight: 'beware', applies: ({ awake }) => awake === 'refused' || awake === 'missing' },
  song_tap: { weight: 'beware', applies: ({ song }) => song === 'tap' },
  not_faded: { weight: 'beware', applies: ({ faded }) => faded === 'no' },
  turn_locked: { weight: 'beware', applies: ({ turned }) => turned === false },
  back_leaves: { weight: 'beware', applies: ({ back_held }) => back_held === false },
  ticket_lost: { weight: 'beware', applies: ({ ticket }) => ticket === 'no' },
  letters_huge: { weight: 'beware', applies: ({ letters }) => (letters ?? 1) >= HUGE_LETTERS },
} satisfies Record<string, Fault>;

export type FaultId = keyof typeof FAULTS;
export const FAULT_IDS: readonly FaultId[] = keysOf(FAULTS);

export const VERDICTS = ['good', 'beware', 'bad', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Result for a phone: `faults` in order of severity, `untried` the steps that were skipped or answered with unsure. */
export type DiagnosisResult = { verdict: Verdict; faults: FaultId[]; untried: DiagnosisStep[] };

/** Evaluates a phone's findings. `unknown`: an essential step was not tested and nothing bad was found. */
export function evaluateFindings(findings: Findings): DiagnosisResult {
  const faults = FAULT_IDS.filter((id) => FAULTS[id].applies(findings));
  const untried = keysOf(DIAGNOSIS_STEPS).filter((step) => isUnanswered(findings[DIAGNOSIS_STEPS[step]]));
  return { verdict: verdictOf(faults, untried), faults, untried };
}

function isUnanswered(finding: Findings[keyof Findings]): boolean {
  return finding === undefined || finding === 'unsure';
}

function verdictOf(faults: readonly FaultId[], untried: readonly DiagnosisStep[]): Verdict {
  if (faults.some((id) => FAULTS[id].weight === 'bad')) return 'bad';
  if (ESSENTIAL.some((step) => untried.includes(step))) return 'unknown';
  return faults.length === 0 ? 'good' : 'beware';
}

/** Steps about the film; skipped if the user did not see it. */
const FILM_STEPS: readonly DiagnosisStep[] = ['sound', 'picture', 'buttons'];

/** Returns the index of the step after `step`, skipping those that can't be answered; the number of steps at the end. */
export function nextDiagnosisStep(step: number, findings: Findings): number {
  const steps = keysOf(DIAGNOSIS_STEPS);
  const next = steps.findIndex((name, place) => place > step && isAnswerable(name, findings));
  return next === -1 ? steps.length : next;
}

function isAnswerable(step: DiagnosisStep, { film, song, song_heard }: Findings): boolean {
  if (FILM_STEPS.includes(step)) return film === 'played' || film === 'stopped';
  return step !== 'fade' || (song !== 'stuck' && song_heard === 'yes');
}
