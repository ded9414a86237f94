import type { UseQueryOptions } from '@tanstack/react-query';
import type { ApiError } from '../../../api/failure.ts';
import type { Values } from './merge.ts';
import type { RecordAccess, Versioned } from './save-merging.ts';

/** Reason why the values can't be saved: one sentence, and the fields concerned. */
export type Problem<V> = { sentence: string; fields: (keyof V & string)[] };

/** The specification's sentences for one page. */
export type FormSentences = {
  saved: string;
  /** Used if the server sent no sentence. */
  loadFailed: string;
  saveFailed: string;
  /** Toast titles; the sentences become descriptions if the specification has titles. */
  titles?: { saved: string; failed: string };
};

/** Cache key, read and save of a record. */
export type RecordSource<R extends Versioned> = Pick<RecordAccess<R, Values>, 'read' | 'save'> & {
  query: UseQueryOptions<R, ApiError>;
};

export type RecordFormOptions<R extends Versioned, V extends Values> = Pick<
  RecordAccess<R, V>,
  'toValues' | 'toFields'
> & {
  /** Name of the draft; unique per form. */
  name: string;
  source: RecordSource<R>;
  /** Field labels of the form and the conflict panel. */
  labels: Record<keyof V & string, string>;
  validate?: (values: V) => Problem<V> | null;
  /** While true nothing can be saved, and «Salva» is off (spec: «save disabled when empty»). */
  blocked?: (values: V) => boolean;
  /** Saves when the field is left instead of while typing, because a partial value would do harm. */
  savedWhenLeft?: true;
  /** No «Salva»: only the specification's pages have it. */
  withoutButton?: true;
  sentences: FormSentences;
};
