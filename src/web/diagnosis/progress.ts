import { DIAGNOSIS_STEPS, type DiagnosisStep, type Findings } from '../../domain/diagnosis.ts';
import { keysOf } from '../../domain/records.ts';
import { readStoredJson, writeStored } from '../ui/storage.ts';

export const STEPS: readonly DiagnosisStep[] = keysOf(DIAGNOSIS_STEPS);

/** Where the trial is. It lives in the tab's own history, which a reload keeps even where nothing else is kept. */
export type DiagnosisProgress = {
  /** This phone, drawn once. */
  id: string;
  /** The number of the step it is at; -1 before the first, the number of steps when all are done. */
  step: number;
  findings: Findings;
  /** The pass: over the reload that is part of the trial, and on, in a browser that keeps no cookies. */
  pass: string | null;
};

const KEY = 'diagnosi';

/** What this tab was at, else what this browser was at the last time, else the beginning. */
export function readProgress(): DiagnosisProgress {
  const kept = readStoredJson('localStorage', KEY);
  return inTab() ?? (isProgress(kept) ? kept : newProgress());
}

/** What this very tab was at before it was loaded again, or null. */
export function inTab(): DiagnosisProgress | null {
  const kept: unknown = (history.state as { diagnosis?: unknown } | null)?.diagnosis;
  return isProgress(kept) ? kept : null;
}

/** The beginning. @param id the phone that is known already */
export function newProgress(id: string = newId()): DiagnosisProgress {
  return { id, step: -1, findings: {}, pass: null };
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Keeps it in the tab's history and, without the pass, in the browser's storage. */
export function keepProgress(progress: DiagnosisProgress): void {
  history.replaceState({ ...history.state, diagnosis: progress }, '');
  writeStored('localStorage', KEY, JSON.stringify({ ...progress, pass: null }));
}

/** Is what was kept a moment ago still in the browser's storage? */
export function storageHolds({ id }: DiagnosisProgress): boolean {
  const kept = readStoredJson('localStorage', KEY);
  return isProgress(kept) && kept.id === id;
}

function isProgress(value: unknown): value is DiagnosisProgress {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'step' in value &&
    typeof value.step === 'number' &&
    'findings' in value &&
    typeof value.findings === 'object' &&
    value.findings !== null &&
    'pass' in value
  );
}
