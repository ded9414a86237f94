import { useRef, useState } from 'react';
import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media-slots.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { problemOf } from './check-file.ts';
import { codecProblemOf } from './codec-problem.ts';
import { useMaxBytes } from './max-bytes.ts';

/** The file chosen for a slot, once nothing speaks against it; else what does. */
export function useChosenFile(slot: SlotName, onGood: (file: File) => void) {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [looking, setLooking] = useState(false);
  const latest = useRef<File>(null);
  const maxBytes = useMaxBytes(slot);

  function complain(sentence: string): void {
    setProblem(sentence);
    toastError(sentence);
  }

  async function choose(next: File): Promise<void> {
    latest.current = next;
    setProblem(null);
    setLooking(true);
    const found = problemOf(next, slot, maxBytes) ?? (await problemInside(next, slot));
    // Another one was chosen meanwhile.
    if (latest.current !== next) return;
    setLooking(false);
    setFile(found === null ? next : null);
    if (found === null) onGood(next);
    else complain(found);
  }
  return { file, problem, looking, choose, complain };
}

async function problemInside(file: File, slot: SlotName): Promise<string | null> {
  return MEDIA_SLOTS[slot].kind === 'video' ? codecProblemOf(file) : null;
}
