import type { Viaggio } from '../../../domain/content.ts';
import type { AnswerStore, ChosenAnswers } from '../../../experience/ports.ts';

/** Answers wait here until the server has them: in local storage where there is one, in memory where a web view forbids it. */
export function answerStore(): AnswerStore {
  const memory = new Map<string, string>();
  return {
    load: (session_id, viaggio) =>
      parsed(read(keyOf(session_id, viaggio)) ?? memory.get(keyOf(session_id, viaggio))),
    save: (session_id, viaggio, chosen) => {
      memory.set(keyOf(session_id, viaggio), JSON.stringify(chosen));
      attempt(() => localStorage.setItem(keyOf(session_id, viaggio), JSON.stringify(chosen)));
    },
    clear: (session_id, viaggio) => {
      memory.delete(keyOf(session_id, viaggio));
      attempt(() => localStorage.removeItem(keyOf(session_id, viaggio)));
    },
  };
}

function keyOf(session_id: string, viaggio: Viaggio): string {
  return `risposte-${session_id}-${viaggio}`;
}

function read(key: string): string | undefined {
  return attempt(() => localStorage.getItem(key)) ?? undefined;
}

function parsed(text: string | undefined): ChosenAnswers {
  const value = text === undefined ? undefined : attempt(() => JSON.parse(text) as unknown);
  if (typeof value !== 'object' || value === null) return {};
  const { risposta_1, risposta_2 } = value as Record<string, unknown>;
  return {
    ...(typeof risposta_1 === 'boolean' && { risposta_1 }),
    ...(typeof risposta_2 === 'boolean' && { risposta_2 }),
  };
}

/** Storage may be switched off, full or forbidden: then there is none. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
