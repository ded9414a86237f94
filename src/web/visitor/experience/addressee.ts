import { createStore } from '../../ui/store.ts';

/** Who the letter is for: null until the evening knows, and where nobody is named. */
export const addressee = createStore<string | null>(null);
