import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { Failure, messageOf } from '../../failure.ts';
import type { FormSentences } from './form-options.ts';

/** The page's own sentence for a refusal if it has one, else the server's, else the page's for everything. */
export function sentenceFor(
  error: unknown,
  fallback: string,
  { refusals = {} }: Pick<FormSentences, 'refusals'>,
): string {
  const own = error instanceof Failure ? refusals[error.codice] : undefined;
  return own ?? messageOf(error, fallback);
}

export function tellSaved({ saved, titles }: FormSentences): void {
  if (titles === undefined) toastSuccess(saved);
  else toastSuccess(titles.saved, { description: saved });
}

export function tellFailed(sentence: string, { titles }: FormSentences): void {
  if (titles === undefined) toastError(sentence);
  else toastError(titles.failed, { description: sentence });
}
