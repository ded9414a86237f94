import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FormSentences, RecordSource } from './form-options.ts';
import type { Versioned } from './save-merging.ts';
import { sentenceFor, showSaveFailed } from './tell.ts';

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
