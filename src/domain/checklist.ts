import { hasSecondTrip, type Snapshot, type Viaggio } from './content.ts';
import { itinerary, type Stage, type Step } from './itinerary.ts';
import type { SlotName } from './media-slots.ts';
import type { ReasonId } from './readiness-reasons.ts';
import type { Reason } from './readiness-verdict.ts';

/** Steps of the preparation: the stages, the song, the site address and the code. */
export type StepName = Stage | 'song' | 'online' | 'code';

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

type StepPage =
  | '/admin/frasi'
  | '/admin/video'
  | '/admin/musica'
  | '/admin/immagine'
  | '/admin/biglietti'
  | '/admin/checkbox'
  | '/admin/frasi-finali'
  | '/admin/intermediate-phrases'
  | '/admin/second-trip-phrases'
  | '/admin/second-trip-details'
  | '/admin/second-trip-checkbox'
  | '/admin/second-trip-final-phrases'
  | '/admin/rete'
  | '/admin/token';

function row(
  name: StepName,
  viaggio: Viaggio,
  page: StepPage,
  ids: readonly ReasonId[],
  { part = '', slot = null }: { part?: string; slot?: SlotName | null } = {},
): StepRow {
  return { name, viaggio, page, ids, part, slot };
}

/** In the visitor's order. The code comes last because it is created last. */
const ROWS: readonly StepRow[] = [
  row('pre_phrases', 1, '/admin/frasi', ['pre_phrases'], { part: 'frasi_pre_video' }),
  row('video', 1, '/admin/video', ['main_video'], { slot: 'video' }),
  row('song', 1, '/admin/musica', ['song'], { slot: 'canzone' }),
  row('phrases', 1, '/admin/frasi', ['post_phrases'], { part: 'frasi' }),
  row('destination', 1, '/admin/immagine', ['picture_1', 'titles_1'], { slot: 'immagine' }),
  row('card', 1, '/admin/biglietti', ['tickets_1', 'dates_1'], { slot: 'biglietti' }),
  row('questions', 1, '/admin/checkbox', ['questions_1']),
  row('closing', 1, '/admin/frasi-finali', ['closing_phrases']),
  row('between_phrases', 2, '/admin/intermediate-phrases', []),
  row('phrases', 2, '/admin/second-trip-phrases', ['phrases_2']),
  row('destination', 2, '/admin/second-trip-details', ['picture_2', 'titles_2'], { slot: 'immagine_2' }),
  row('card', 2, '/admin/second-trip-details', ['tickets_2', 'dates_2'], {
    part: 'biglietti',
    slot: 'biglietti_2',
  }),
  row('questions', 2, '/admin/second-trip-checkbox', ['questions_2']),
  row('closing', 2, '/admin/second-trip-final-phrases', ['final_phrases_2']),
  row('online', 1, '/admin/rete', ['address', 'address_changed']),
  row('code', 1, '/admin/token', ['usable_code', 'codes_closed']),
];

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
    const missing = openReasons.length > 0;
    return {
      ...scene,
      state: missing ? (slot !== null && working.has(slot) ? 'working' : 'missing') : 'done',
      needed: openReasons.some(({ level }) => level === 'red'),
      step: visibleStep(scene, missing, steps),
    };
  });
}

function belongs({ name, viaggio }: StepRow, isTwoTrips: boolean, steps: readonly Step[]): boolean {
  if (name === 'between_phrases') return steps.some(({ stage }) => stage === name);
  // With a second trip the first one's closing phrases are never shown (spec 4).
  return viaggio === 2 ? isTwoTrips : !(isTwoTrips && name === 'closing');
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

/** Returns the first missing step, or undefined. */
export function firstMissingStep(scenes: readonly ChecklistStep[]): ChecklistStep | undefined {
  return scenes.find(({ state }) => state === 'missing');
}

/** Returns true if no step that the evening needs is missing. */
export function isChecklistComplete(scenes: readonly ChecklistStep[]): boolean {
  return scenes.every(({ needed }) => !needed);
}

/** Other addresses of a step's page: sections of the same page. */
const SECTION_PAGES: Record<string, StepPage> = {
  '/admin/testi-destinazione': '/admin/immagine',
  '/admin/ticket-instruction': '/admin/biglietti',
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
    firstMissingStep(pageSteps) ??
    pageSteps[0]
  );
}

/** Returns the next missing step after this one, continuing at the first; undefined if no other is missing. */
export function nextMissingStep(
  scenes: readonly ChecklistStep[],
  scene: ChecklistStep,
): ChecklistStep | undefined {
  const place = scenes.indexOf(scene);
  return firstMissingStep([...scenes.slice(place + 1), ...scenes.slice(0, place)]);
}
