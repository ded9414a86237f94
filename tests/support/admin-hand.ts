import { act, fireEvent } from '@testing-library/react';
import { expect } from 'vitest';
import { commonTexts } from '../../src/texts/admin/forms.ts';
import { type Answers, defaults, type Outputs } from './admin-answers.ts';
import { control, dialog, dialogs, field } from './admin-look.ts';
import { answerWith, lastUndo, pass, sent, takeNotices } from './admin-page.tsx';

/** User actions on a page of the administration. */

export const press = (name: string | RegExp, around?: Element) => click(control(name, around));

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
  // Waits for the dialog's transition.
  await pass(DIALOG_MS);
}

const DIALOG_MS = 250;

/** Writes a value into a field at once. */
export function write(label: string | RegExp, value: string, around?: HTMLElement): void {
  fireEvent.input(field(label, around), { target: { value } });
}

/** Selects a value in a list. */
export async function choose(label: string | RegExp, value: string): Promise<void> {
  fireEvent.change(field(label), { target: { value } });
  await pass(0);
}

/** Moves the focus out of a field. */
export async function leave(label: string | RegExp): Promise<void> {
  fireEvent.blur(field(label));
  await pass(0);
}

/** Simulates the return of the network. */
export async function networkReturns(): Promise<void> {
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(0);
}

/** Hides or shows the page. */
export async function becomes(state: 'visible' | 'hidden'): Promise<void> {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  await act(async () => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  Reflect.deleteProperty(document, 'visibilityState');
  await pass(0);
}

/** Shows the page again with these replies of the server; all others are reset to the defaults. */
export async function showAgain(replies: Answers): Promise<void> {
  answerWith({ ...defaults, ...replies });
  await becomes('visible');
}

/** Submits the form of a field. */
export async function submit(label: string | RegExp, around?: HTMLElement): Promise<void> {
  const form = field(label, around).form ?? expect.unreachable('It is in no form');
  fireEvent.submit(form);
  await pass(0);
}

/** Presses the button of the last notice. */
export async function undo(): Promise<void> {
  const last = lastUndo();
  await act(async () => last());
  await pass(0);
}

type ReplyCase = [answer: unknown, said: string, then?: Answers];

/** Repeats an action for each reply of the server and expects its notice. */
export async function expectNotices(
  call: string,
  act: () => Promise<void>,
  cases: ReplyCase[],
): Promise<void> {
  for (const [answer, notice, then] of cases) {
    answerWith({ [call]: answer, ...then } as Answers);
    await act();
    expect(takeNotices()).toEqual([notice]);
  }
}

/** Tests a button with a confirmation: cancelling sends nothing, and each reply of the server shows its notice. */
export async function expectConfirmation(
  button: string,
  call: keyof Outputs,
  { question, confirm = button }: { question: string; confirm?: string },
  cases: ReplyCase[],
): Promise<void> {
  await press(button);
  expect(dialog().textContent).toContain(question);
  await press(commonTexts.cancel, dialog());
  expect([await dialogs(), sent(call)]).toEqual([0, []]);
  const act = async () => {
    await press(button);
    await press(confirm, dialog());
    expect(await dialogs()).toBe(0);
  };
  await expectNotices(call, act, cases);
  expect(sent(call)).toHaveLength(cases.length);
}
