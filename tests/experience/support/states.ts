import { getStateNodes } from 'xstate/graph';
import { visitMachine } from '../../../src/experience/visit-machine.ts';

/** Returns the dotted paths of the innermost states of a state value: `evening.card.open`. */
export function leavesOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return [[...path, value].join('.')];
  return Object.entries(value as object).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Returns all innermost states that a visitor can be in, without those that are left immediately. */
export function everyState(): string[] {
  const leaves = getStateNodes(visitMachine).filter((node) => Object.keys(node.states).length === 0);
  const staying = leaves.filter(({ always }) => always?.every(({ guard }) => guard !== undefined) ?? true);
  return staying.map(({ path }) => path.join('.')).toSorted();
}
