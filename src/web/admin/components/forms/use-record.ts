import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { formTexts } from '../../../../texts/admin/forms.ts';
import { ApiError } from '../../../api/failure.ts';
import { type ToastOptions, toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { messageOf } from '../../failure.ts';
import type { FormSentences, RecordSource } from './form-options.ts';
import type { Versioned } from './save-merging.ts';

/** Reads a record. A failure shows one toast with the page's sentence and stays until `retry`. */
export function useRecord<R extends Versioned>(source: RecordSource<R>, sentences: FormSentences) {
  const { data, error, refetch } = useQuery(source.query);
  const failed = data === undefined && error !== null;
  const problem = failed ? sentenceFor(error, sentences.loadFailed) : null;
  useEffect(() => {
    if (problem !== null) showSaveFailed(problem, sentences);
  }, [problem, sentences]);
  return { record: data, problem, retry: () => void refetch() };
}

/** Returns the error's sentence, or `fallback` if it has none. For a deleted record it is the specification's sentence (spec 5). */
export function sentenceFor(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.codice === 'NOT_FOUND') return formTexts.notFound;
  return messageOf(error, fallback);
}

export function showSaved({ saved, titles }: FormSentences, options: ToastOptions = {}): void {
  if (titles === undefined) toastSuccess(saved, options);
  else toastSuccess(titles.saved, { ...options, description: saved });
}

export function showSaveFailed(sentence: string, { titles }: FormSentences): void {
  if (titles === undefined) toastError(sentence);
  else toastError(titles.failed, { description: sentence });
}
