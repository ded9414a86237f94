import type { PAGES } from '../contract/pages.ts';
import { EMPTY_VALUES } from './configuration.ts';
import { hasSecondTrip, type Snapshot, type Viaggio } from './content.ts';
import { itinerary, type Stage, type Step } from './itinerary.ts';
import type { SlotName } from './media.ts';
import type { ReasonId } from './readiness-reasons.ts';
import type { Reason } from './readiness-verdict.ts';

/** Steps of the preparation: whom the evening is for, the stages, the song, the site address, the rehearsal and the code. */
export type StepName = 'evening' | Stage | 'song' | 'online' | 'rehearsal' | 'code';

/** `working`: the step's file is being uploaded or processed. */
export type StepState = 'done' | 'missing' | 'working';

/** A step of the checklist, drawn as a picture of the evening. */
export type ChecklistStep = {
  name: StepName;
  viaggio: Viaggio;
  state: StepState;
  /** True while the step is incomplete and the evening doesn't work without it. */
  needed: boolean;
  /** Stage that the visitor sees; null while it has no content to show. */
  step: Step | null;
  /** Page of its editor, and the section of that page. */
  page: StepPage;
  part: string;
};

type StepRow = Pick<ChecklistStep, 'name' | 'viaggio' | 'page' | 'part'> & {
  /** Reasons that make the step incomplete. */
  ids: readonly ReasonId[];
  slot: SlotName | null;
};

type StepPage = (typeof PAGES)[number];

function row(
  name: StepName,
  viaggio: Viaggio,
  page: StepPage,
  ids: readonly ReasonId[],
  { part = '', slot = null }: { part?: string; slot?: SlotName | null } = {},
): StepRow {
  return { name, viaggio, page, ids, part, slot };
}

/**
 * After the evening's own settings in the visitor's order; the last three bring it to the visitor. Every red reason that a step's page
 * fixes is listed, so that a step is never done while «Pronta?» says that it must be fixed.
 */
const ROWS: readonly StepRow[] = [
  row('evening', 1, '/admin/serata', ['site_open', 'opening_before_closing', 'keepsake_before']),
  row('pre_phrases', 1, '/admin/frasi', ['pre_phrases'], { part: 'frasi_pre_video' }),
  row(
    'video',
    1,
    '/admin/video',
    ['main_video', 'video_broken', 'poster_broken', 'light_broken', 'captions_broken'],
    { slot: 'video' },
  ),
  row('song', 1, '/admin/musica', ['song', 'song_broken'], { slot: 'canzone' }),
  row('phrases', 1, '/admin/frasi', ['post_phrases'], { part: 'frasi' }),
  row('destination', 1, '/admin/immagine', ['picture_1', 'titles_1', 'picture_1_broken'], {
    slot: 'immagine',
  }),
  row(
    'card',
    1,
    '/admin/biglietti',
    ['tickets_1', 'dates_1', 'tickets_1_broken', 'tickets_1_unreadable', 'trip_days_1'],
    { slot: 'biglietti' },
  ),
  row('questions', 1, '/admin/checkbox', ['questions_1']),
  row('closing', 1, '/admin/frasi-finali', ['closing_phrases']),
  row('between_phrases', 2, '/admin/intermediate-phrases', []),
  row('phrases', 2, '/admin/second-trip-phrases', ['phrases_2']),
  row('destination', 2, '/admin/second-trip-details', ['picture_2', 'titles_2', 'picture_2_broken'], {
    part: 'immagine',
    slot: 'immagine_2',
  }),
  row(
    'card',
    2,
    '/admin/second-trip-details',
    ['tickets_2', 'dates_2', 'tickets_2_broken', 'tickets_2_unreadable', 'trip_days_2'],
    { part: 'biglietti', slot: 'biglietti_2' },
  ),
  row('questions', 2, '/admin/second-trip-checkbox', ['questions_2']),
  row('closing', 2, '/admin/second-trip-final-phrases', ['final_phrases_2']),
  row('online', 1, '/admin/rete', [
    'address_here',
    'address',
    'address_changed',
    'address_silent',
    'address_other',
    'address_plain',
    'certificate_bad',
    'certificate_ends',
  ]),
  row('rehearsal', 1, '/admin/preview', ['rehearsal_none', 'rehearsal_old']),
  row('code', 1, '/admin/token', [
    'usable_code',
    'codes_closed',
    'code_taken',
    'code_until_graduation',
    'code_at_opening',
  ]),
];

/** Returns true if a step of the checklist lists the reason. */
export const isStepReason = (id: ReasonId): boolean => ROWS.some(({ ids }) => ids.includes(id));

/**
 * Returns the checklist from an empty install on: complete and missing steps of the first trip, and of the second if there is one.
 * @param reasons reasons against the evening («Pronta?»)
 * @param working slots whose files are being uploaded or processed
 */
export function checklistSteps(
  snapshot: Snapshot,
  reasons: readonly Pick<Reason, 'id' | 'level'>[],
  working: ReadonlySet<SlotName>,
): ChecklistStep[] {
  const steps = itinerary(snapshot);
  const isTwoTrips = hasSecondTrip(snapshot);
  return ROWS.filter((each) => belongs(each, isTwoTrips, steps)).map(({ ids, slot, ...scene }) => {
    const openReasons = reasons.filter(({ id }) => ids.includes(id));
    const missing = openReasons.length > 0 || (scene.name === 'evening' && isEveningUnset(snapshot, reasons));
    return {
      ...scene,
      state: missing ? (slot !== null && working.has(slot) ? 'working' : 'missing') : 'done',
      needed: openReasons.some(({ level }) => level === 'red'),
      step: visibleStep(scene, missing, steps),
    };
  });
}

/** Returns true if nothing says whom the evening is for, when it is, or how it looks. */
function isEveningUnset({ config }: Snapshot, reasons: readonly Pick<Reason, 'id'>[]): boolean {
  const isOpen = (id: ReasonId) => reasons.some((reason) => reason.id === id);
  return (
    (config.recipient_name ?? '') === '' &&
    config.dress === EMPTY_VALUES.dress &&
    isOpen('opening_unset') &&
    isOpen('graduation_date')
  );
}

function belongs({ name, viaggio }: StepRow, isTwoTrips: boolean, steps: readonly Step[]): boolean {
  if (name === 'between_phrases') return steps.some(({ stage }) => stage === name);
  // With a second trip the first one's closing phrases are never shown (spec 4).
  if (viaggio === 1 && name === 'closing') return !steps.some((step) => step.viaggio === 2);
  return viaggio === 1 || isTwoTrips;
}

/** Returns the stage to draw. The video and the closing are always in the itinerary, so they are left out until they have content. */
function visibleStep(
  { name, viaggio }: Pick<StepRow, 'name' | 'viaggio'>,
  missing: boolean,
  steps: readonly Step[],
) {
  if (missing && (name === 'video' || name === 'closing')) return null;
  return steps.find((step) => step.stage === name && step.viaggio === viaggio) ?? null;
}

const isFinal = ({ name }: ChecklistStep) => name === 'online' || name === 'rehearsal' || name === 'code';

/** Returns true if no content that the evening needs is missing. */
export const isContentComplete = (scenes: readonly ChecklistStep[]): boolean =>
  scenes.every((scene) => isFinal(scene) || !scene.needed);

/** Returns true if some content is done or under way. */
export const isContentBegun = (scenes: readonly ChecklistStep[]): boolean => lastContent(scenes) >= 0;

/** Returns the index of the last step with content; -1 if there is none. */
function lastContent(scenes: readonly ChecklistStep[]): number {
  return scenes.findLastIndex((scene) => !isFinal(scene) && scene.state !== 'missing');
}

/**
 * Returns the step to continue with, or undefined if nothing is left. An optional step is offered unless a later one is done, because it
 * was passed over then. Once the evening is complete and has a code, optional content isn't offered any more.
 */
export function nextStep(scenes: readonly ChecklistStep[]): ChecklistStep | undefined {
  const place = (name: StepName) =>
    scenes.findIndex((scene) => scene.name === name && scene.state === 'done');
  const passed = Math.max(lastContent(scenes), place('rehearsal'));
  const isSettled = isContentComplete(scenes) && place('code') >= 0;
  const isOffered = (scene: ChecklistStep, index: number) =>
    scene.needed || (index > passed && (!isSettled || isFinal(scene)));
  return (
    scenes.find((scene, index) => scene.state === 'missing' && isOffered(scene, index)) ??
    scenes.find(({ needed }) => needed)
  );
}

/** Other addresses of a step's page: sections of the same page, and the page of the video's button. */
const SECTION_PAGES: Record<string, StepPage> = {
  '/admin/testi-destinazione': '/admin/immagine',
  '/admin/ticket-instruction': '/admin/biglietti',
  '/admin/video-button': '/admin/video',
};

/**
 * Returns the step edited on a page: the one of that section, else the first missing one of the page, else its first.
 * @param part section from the address, without its «#»
 * @returns undefined if the page is no step
 */
export function stepForPage(
  scenes: readonly ChecklistStep[],
  page: string,
  part: string,
): ChecklistStep | undefined {
  const editorPage = SECTION_PAGES[page] ?? page;
  const pageSteps = scenes.filter((scene) => scene.page === editorPage);
  return (
    pageSteps.find((scene) => part !== '' && scene.part === part) ??
    pageSteps.find(({ state }) => state === 'missing') ??
    pageSteps[0]
  );
}

/** Returns the next missing step after this one; undefined if there is none. */
export const stepAfter = (
  scenes: readonly ChecklistStep[],
  scene: ChecklistStep,
): ChecklistStep | undefined =>
  scenes.slice(scenes.indexOf(scene) + 1).find(({ state }) => state === 'missing');
