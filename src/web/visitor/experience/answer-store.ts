import type { Viaggio } from '../../../domain/content.ts';
import type { AnswerStore, ChosenAnswers } from '../../../experience/ports.ts';
import { readStoredJson, writeStored } from '../../ui/storage.ts';

/**
 * Stores answers on the device until the server has them: in local storage and in the page's history entry. The history entry survives a
 * reload everywhere, including web views without storage.
 */
export function answerStore(): AnswerStore {
  return {
    load: (session_id, viaggio) => {
      const key = keyOf(session_id, viaggio);
      return chosenIn(readStoredJson('localStorage', key) ?? entry()[key]);
    },
    save: (session_id, viaggio, chosen) => {
      const key = keyOf(session_id, viaggio);
      writeStored('localStorage', key, JSON.stringify(chosen));
      history.replaceState({ ...entry(), [key]: chosen }, '');
    },
    clear: (session_id, viaggio) => {
      const key = keyOf(session_id, viaggio);
      writeStored('localStorage', key, null);
      const { [key]: _, ...rest } = entry();
      history.replaceState(rest, '');
    },
  };
}

function keyOf(session_id: string, viaggio: Viaggio): string {
  return `risposte-${session_id}-${viaggio}`;
}

/** Returns the state of the history entry, which also contains the router's fields. */
function entry(): Record<string, unknown> {
  const state: Record<string, unknown> | null = history.state;
  return state ?? {};
}

function chosenIn(value: unknown): ChosenAnswers {
  if (typeof value !== 'object' || value === null) return {};
  const { risposta_1, risposta_2 }: { risposta_1?: unknown; risposta_2?: unknown } = value;
  return {
    ...(typeof risposta_1 === 'boolean' && { risposta_1 }),
    ...(typeof risposta_2 === 'boolean' && { risposta_2 }),
  };
}
