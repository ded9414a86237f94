import { hasSecondTrip, type Snapshot, type Viaggio } from './content.ts';
import { itinerary, type Stage, type Step } from './itinerary.ts';
import type { SlotName } from './media-slots.ts';
import type { ReasonId } from './readiness-reasons.ts';
import type { Reason } from './readiness-verdict.ts';

/** What is prepared, one piece after the other: the stages, the song that is heard among them, the address at which they open, and the code. */
export type StepName = Stage | 'song' | 'online' | 'code';

/** `working`: its file is on its way, or the server is at it. */
export type StepState = 'done' | 'missing' | 'working';

/** A picture of the evening's strip, which is a step of the guided path as well. */
export type ChecklistStep = {
  name: StepName;
  viaggio: Viaggio;
  state: StepState;
  /** The evening can't do without it. */
  needed: boolean;
  /** What she sees there; null while there is nothing to be seen. */
  step: Step | null;
  /** Its editor, and the part that opens there. */
  page: StepPage;
  part: string;
};

type StepRow = Pick<ChecklistStep, 'name' | 'viaggio' | 'page' | 'part'> & {
  /** What may be said against it. */
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

/** In the order in which she meets them; the code, which is made last, at the end. */
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
 * The evening piece by piece, from an empty install on: what there is and what lacks of the first trip, and of the second where there is one.
 * @param reasons what speaks against the evening («Pronta?»)
 * @param working whose files are on their way
 */
export function checklistSteps(
  snapshot: Snapshot,
  reasons: readonly Pick<Reason, 'id' | 'level'>[],
  working: ReadonlySet<SlotName>,
): ChecklistStep[] {
  const steps = itinerary(snapshot);
  const two = hasSecondTrip(snapshot);
  return ROWS.filter((each) => belongs(each, two, steps)).map(({ ids, slot, ...scene }) => {
    const against = reasons.filter(({ id }) => ids.includes(id));
    const missing = against.length > 0;
    return {
      ...scene,
      state: missing ? (slot !== null && working.has(slot) ? 'working' : 'missing') : 'done',
      needed: against.some(({ level }) => level === 'red'),
      step: seen(scene, missing, steps),
    };
  });
}

function belongs({ name, viaggio }: StepRow, two: boolean, steps: readonly Step[]): boolean {
  if (name === 'between_phrases') return steps.some(({ stage }) => stage === name);
  // With a second trip the first one's closing phrases are never shown (spec 4.8).
  return viaggio === 2 ? two : !(two && name === 'closing');
}

/** Of a stage that is always there a picture says nothing as long as it has nothing of its own. */
function seen(
  { name, viaggio }: Pick<StepRow, 'name' | 'viaggio'>,
  missing: boolean,
  steps: readonly Step[],
) {
  if (missing && (name === 'video' || name === 'closing')) return null;
  return steps.find((step) => step.stage === name && step.viaggio === viaggio) ?? null;
}

/** The first piece that lacks, or undefined. */
export function firstMissingStep(scenes: readonly ChecklistStep[]): ChecklistStep | undefined {
  return scenes.find(({ state }) => state === 'missing');
}

/** Is everything there that the evening can't do without? */
export function isChecklistComplete(scenes: readonly ChecklistStep[]): boolean {
  return scenes.every(({ needed }) => !needed);
}

/** Addresses at which a piece is worked on besides its own: a part of the same page. */
const BESIDES: Record<string, StepPage> = {
  '/admin/testi-destinazione': '/admin/immagine',
  '/admin/ticket-instruction': '/admin/biglietti',
};

/**
 * Which piece somebody is at who is on a page: the one its part names, else the first there that lacks, else the first there.
 * @param part of the address, without its «#»
 * @returns undefined where the page is no step of the path
 */
export function stepForPage(
  scenes: readonly ChecklistStep[],
  page: string,
  part: string,
): ChecklistStep | undefined {
  const own = BESIDES[page] ?? page;
  const here = scenes.filter((scene) => scene.page === own);
  return here.find((scene) => part !== '' && scene.part === part) ?? firstMissingStep(here) ?? here[0];
}

/** The next piece that lacks after this one, in the order of the evening and then from its beginning; undefined where no other does. */
export function nextMissingStep(
  scenes: readonly ChecklistStep[],
  scene: ChecklistStep,
): ChecklistStep | undefined {
  const place = scenes.indexOf(scene);
  return firstMissingStep([...scenes.slice(place + 1), ...scenes.slice(0, place)]);
}
