import type { UseQueryOptions } from '@tanstack/react-query';
import type { ApiError } from '../../../api/failure.ts';
import type { Values } from './merge-values.ts';
import type { RecordAccess, Versioned } from './save-merging.ts';

/** Why the values can't be saved: one sentence, and the fields it is about. */
export type Problem<V> = { sentence: string; fields: (keyof V & string)[] };

/** The specification's sentences of one page. */
export type FormSentences = {
  saved: string;
  /** Where the server gave no sentence of its own. */
  loadFailed: string;
  saveFailed: string;
  /** Titles the sentences stand under as descriptions, where the specification has them. */
  titles?: { saved: string; failed: string };
};

/** Where a record lives: how it is cached, read and saved. */
export type RecordSource<R extends Versioned> = Pick<RecordAccess<R, Values>, 'read' | 'save'> & {
  query: UseQueryOptions<R, ApiError>;
};

export type RecordFormOptions<R extends Versioned, V extends Values> = Pick<
  RecordAccess<R, V>,
  'toValues' | 'toFields'
> & {
  /** Names the draft: one form, one name. */
  name: string;
  source: RecordSource<R>;
  /** What the fields are called, where two texts stand side by side. */
  labels: Record<keyof V & string, string>;
  validate?: (values: V) => Problem<V> | null;
  /** While true nothing can be saved, and «Salva» is off (spec: «save disabled when empty»). */
  blocked?: (values: V) => boolean;
  /** Half of it would do harm: it saves itself when its field is left, not while somebody writes. */
  savedWhenLeft?: true;
  sentences: FormSentences;
};
