import { DIAGNOSIS_STEPS, type DiagnosisStep, type Findings } from '../../domain/diagnosis.ts';
import { keysOf } from '../../domain/records.ts';
import { readStoredJson, writeStored } from '../ui/storage.ts';

export const STEPS: readonly DiagnosisStep[] = keysOf(DIAGNOSIS_STEPS);

/** Progress of the diagnosis. Stored in the tab's history, which survives a reload even without cookies and storage. */
export type DiagnosisProgress = {
  /** Random id of this phone. */
  id: string;
  /** Index of the current step: -1 before the first, the number of steps after the last. */
  step: number;
  findings: Findings;
  /** The pass: stored for the diagnosis' own reload, and longer in a browser without cookies. */
  pass: string | null;
};

const KEY = 'diagnosi';

/** Returns this tab's progress, else the browser's last one, else a new one. */
export function readProgress(): DiagnosisProgress {
  const stored = readStoredJson('localStorage', KEY);
  return readTabProgress() ?? (isProgress(stored) ? stored : newProgress());
}

/** Returns this tab's progress from before its reload, or null. */
export function readTabProgress(): DiagnosisProgress | null {
  const stored: unknown = (history.state as { diagnosis?: unknown } | null)?.diagnosis;
  return isProgress(stored) ? stored : null;
}

/**
 * Returns the progress of a new diagnosis.
 * @param id the id of a phone that has one already
 */
export function newProgress(id: string = newId()): DiagnosisProgress {
  return { id, step: -1, findings: {}, pass: null };
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Stores the progress in the tab's history and, without the pass, in the browser's storage. */
export function storeProgress(progress: DiagnosisProgress): void {
  history.replaceState({ ...history.state, diagnosis: progress }, '');
  writeStored('localStorage', KEY, JSON.stringify({ ...progress, pass: null }));
}

/** Returns true if the browser's storage still has this progress. */
export function isStored({ id }: DiagnosisProgress): boolean {
  const stored = readStoredJson('localStorage', KEY);
  return isProgress(stored) && stored.id === id;
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
