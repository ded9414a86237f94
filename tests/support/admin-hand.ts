import { act, fireEvent } from '@testing-library/react';
import { expect } from 'vitest';
import { commonTexts } from '../../src/texts/admin/common.ts';
import { type Answers, defaults, type Outputs } from './admin-answers.ts';
import { control, dialog, dialogs, field } from './admin-look.ts';
import { answerWith, pass, sent, takeBack, told } from './admin-page.tsx';

/** What a hand does on a page of the administration. */

export const press = (name: string | RegExp, around?: Element) => click(control(name, around));

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
  // A dialog takes its time to come.
  await pass(DIALOG_MS);
}

const DIALOG_MS = 250;

/** Writes into a field, all at once. */
export function write(label: string | RegExp, value: string, around?: HTMLElement): void {
  fireEvent.input(field(label, around), { target: { value } });
}

/** Chooses in a list. */
export async function choose(label: string | RegExp, value: string): Promise<void> {
  fireEvent.change(field(label), { target: { value } });
  await pass(0);
}

/** Leaves a field. */
export async function leave(label: string | RegExp): Promise<void> {
  fireEvent.blur(field(label));
  await pass(0);
}

/** The network is back. */
export async function networkReturns(): Promise<void> {
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(0);
}

/** The page is put aside, or looked at again. */
export async function becomes(state: 'visible' | 'hidden'): Promise<void> {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  await act(async () => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  Reflect.deleteProperty(document, 'visibilityState');
  await pass(0);
}

/** The page is looked at again when the server answers so; what isn't given is as at first. */
export async function lookAgain(given: Answers): Promise<void> {
  answerWith({ ...defaults, ...given });
  await becomes('visible');
}

/** Sends the form that a field is in. */
export async function submit(label: string | RegExp, around?: HTMLElement): Promise<void> {
  const form = field(label, around).form ?? expect.unreachable('It is in no form');
  fireEvent.submit(form);
  await pass(0);
}

/** Presses the button of the last notice. */
export async function undo(): Promise<void> {
  const last = takeBack();
  await act(async () => last());
  await pass(0);
}

type Try = [answer: unknown, said: string, then?: Answers];

/** Does the same for each answer of the server, of which each is told. */
export async function outcomes(call: string, act: () => Promise<void>, tries: Try[]): Promise<void> {
  for (const [answer, said, then] of tries) {
    answerWith({ [call]: answer, ...then } as Answers);
    await act();
    expect(told()).toEqual([said]);
  }
}

/** A button that asks first: declined nothing is sent, and each answer of the server is told. */
export async function confirms(
  button: string,
  call: keyof Outputs,
  { question, confirm = button }: { question: string; confirm?: string },
  tries: Try[],
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
  await outcomes(call, act, tries);
  expect(sent(call)).toHaveLength(tries.length);
}
