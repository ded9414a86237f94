import { describe, expect, test } from 'vitest';
import {
  DIAGNOSIS_STEPS,
  evaluateFindings,
  FAULT_IDS,
  type FaultId,
  type Findings,
  nextDiagnosisStep,
} from '../../src/domain/diagnosis.ts';
import { keysOf } from '../../src/domain/records.ts';

/** Findings of a good phone: an iPhone's Safari, whose full screen is the whole page. */
const GOOD: Findings = {
  in_app: false,
  cookies: true,
  storage: true,
  letters: 1,
  saves_data: false,
  low_power: false,
  mbit: 40,
  delay_ms: 60,
  film: 'played',
  first_frame_ms: 300,
  full_screen: 'css',
  audio_decoded: true,
  awake: 'held',
  heard: 'yes',
  fills: 'yes',
  buttons: 'no',
  song: 'by_itself',
  song_heard: 'yes',
  faded: 'yes',
  turned: true,
  back_held: true,
  away: 'by_itself',
  lock: 'tap',
  ticket: 'yes',
};

/** Each fault with its finding and its severity. */
const FAULTS: Record<FaultId, [Findings, 'bad' | 'beware']> = {
  cookies_lost: [{ cookies: false }, 'bad'],
  line_none: [{ mbit: 0 }, 'bad'],
  line_slow: [{ mbit: 1.4 }, 'bad'],
  film_refused: [{ film: 'refused' }, 'bad'],
  film_failed: [{ film: 'failed' }, 'bad'],
  own_player: [{ full_screen: 'phone' }, 'bad'],
  sound_undecoded: [{ audio_decoded: false }, 'bad'],
  silent: [{ heard: 'no' }, 'bad'],
  song_stuck: [{ song: 'stuck', song_heard: 'no' }, 'bad'],
  song_silent: [{ song_heard: 'no' }, 'bad'],
  away_stuck: [{ away: 'stuck' }, 'bad'],
  lock_stuck: [{ lock: 'stuck' }, 'bad'],
  in_app: [{ in_app: true }, 'beware'],
  storage_lost: [{ storage: false }, 'beware'],
  low_power: [{ low_power: true }, 'beware'],
  saves_data: [{ saves_data: true }, 'beware'],
  line_light: [{ mbit: 1.5 }, 'beware'],
  line_late: [{ delay_ms: 1_001 }, 'beware'],
  film_stopped: [{ film: 'stopped' }, 'beware'],
  film_late: [{ first_frame_ms: 3_001 }, 'beware'],
  not_filled: [{ fills: 'no' }, 'beware'],
  buttons_seen: [{ buttons: 'yes' }, 'beware'],
  sleeps: [{ awake: 'missing' }, 'beware'],
  song_tap: [{ song: 'tap' }, 'beware'],
  not_faded: [{ faded: 'no' }, 'beware'],
  turn_locked: [{ turned: false }, 'beware'],
  back_leaves: [{ back_held: false }, 'beware'],
  ticket_lost: [{ ticket: 'no' }, 'beware'],
  letters_huge: [{ letters: 2 }, 'beware'],
};

test('reports a phone without faults as good', () => {
  expect(evaluateFindings(GOOD)).toEqual({ verdict: 'good', faults: [], untried: [] });
  expect(evaluateFindings({ ...GOOD, full_screen: 'element', mbit: 8, away: 'tap' }).verdict).toBe('good');
});

describe('evaluateFindings with one fault', () => {
  test.each(FAULT_IDS)('reports %s', (id) => {
    const [found, verdict] = FAULTS[id];
    expect(evaluateFindings({ ...GOOD, ...found })).toEqual({ verdict, faults: [id], untried: [] });
  });
});

test('lists the most severe of several faults first, and it determines the verdict', () => {
  const { verdict, faults } = evaluateFindings({ ...GOOD, in_app: true, heard: 'no', awake: 'refused' });
  expect([verdict, faults]).toEqual(['bad', ['silent', 'in_app', 'sleeps']]);
});

test('returns unknown without findings, and lists skipped and unsure steps as untested', () => {
  expect(evaluateFindings({})).toEqual({ verdict: 'unknown', faults: [], untried: keysOf(DIAGNOSIS_STEPS) });
  const { ticket: _ticket, ...noTicket } = GOOD;
  expect(evaluateFindings({ ...noTicket, fills: 'unsure' })).toEqual({
    verdict: 'good',
    faults: [],
    untried: ['picture', 'ticket'],
  });
  // Film, its sound and the song are essential.
  expect(evaluateFindings({ ...GOOD, heard: 'unsure', in_app: true }).verdict).toBe('unknown');
  expect(evaluateFindings({ in_app: false, mbit: 0.3 }).verdict).toBe('bad');
});

test('skips questions about a film that was not seen and a song that was not audible', () => {
  const steps = keysOf(DIAGNOSIS_STEPS);
  const walk = (findings: Findings) => {
    const walked: string[] = [];
    for (let at = nextDiagnosisStep(-1, findings); at < steps.length; at = nextDiagnosisStep(at, findings))
      walked.push(steps[at] ?? '');
    return walked;
  };
  expect(walk(GOOD)).toEqual(steps);
  const blind = walk({ film: 'failed', song: 'stuck', song_heard: 'no' });
  expect(steps.filter((step) => !blind.includes(step))).toEqual(['fade', 'sound', 'picture', 'buttons']);
  for (const unheard of [{ song_heard: 'no' }, { song: 'stuck' }] as const)
    expect(steps.filter((step) => !walk({ ...GOOD, ...unheard }).includes(step))).toEqual(['fade']);
});
