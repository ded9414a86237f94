import type { Snapshot } from '../../../src/domain/content.ts';
import { currentStage, isDownloaded } from '../../../src/experience/selectors.ts';
import { type Evening, openPage } from './evening.ts';
import { serverOf } from './server.ts';

export type Visitor = { videoSeconds: number; answers: readonly [boolean, boolean] };

export const VISITOR: Visitor = { videoSeconds: 12, answers: [true, true] };

/**
 * Performs at once the action that the current stage requires. The video lasts `videoSeconds` from its start position.
 */
export function act(
  { send, snapshot, clock }: Evening,
  { videoSeconds, answers }: Visitor,
  since: number,
): void {
  const content = currentStage(snapshot())?.content;
  if (content?.stage === 'card' && !isDownloaded(snapshot())) {
    send({ type: content.biglietti_url === null ? 'CONTINUE' : 'DOWNLOAD' });
  }
  if (content?.stage === 'questions') {
    send({ type: 'ANSWER', question: 1, value: answers[0] });
    send({ type: 'ANSWER', question: 2, value: answers[1] });
  }
  if (content?.stage === 'video') {
    const second = (clock.now() - since) / 1_000;
    send(second >= videoSeconds ? { type: 'VIDEO_ENDED' } : { type: 'VIDEO_SECOND', second });
  }
}

/** Runs the evening to its end, or until `until` returns true, acting every `tickMs`. Throws after `limitMs`. */
export async function live(
  evening: Evening,
  {
    visitor = VISITOR,
    until = () => false,
    limitMs = 600_000,
    tickMs = 50,
    each = () => {},
  }: {
    visitor?: Visitor;
    until?: (evening: Evening) => boolean;
    limitMs?: number;
    tickMs?: number;
    each?: (evening: Evening) => void;
  } = {},
): Promise<void> {
  let [step, since] = [-1, 0];
  await evening.pass(0);
  for (const start = evening.clock.now(); !evening.isOver() && !until(evening); await evening.pass(tickMs)) {
    if (evening.clock.now() - start > limitMs)
      throw new Error(`The evening hangs: ${JSON.stringify(evening.screens)}`);
    const now = currentStage(evening.snapshot())?.step ?? -1;
    if (now !== step) [step, since] = [now, evening.clock.now()];
    act(evening, visitor, since);
    each(evening);
  }
}

/** Opens a page and runs it until that screen. */
export async function pageAt(name: string, content: Snapshot): Promise<Evening> {
  const page = openPage(serverOf(content));
  await live(page, { until: ({ screen }) => screen() === name });
  return page;
}
