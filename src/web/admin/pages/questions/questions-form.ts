import type { Viaggio } from '../../../../domain/content.ts';
import { questionsTexts as texts } from '../../../../texts/admin/questions.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type QuestionsRecord, questionsSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { QUESTION_FIELDS } from './question-fields.ts';

/** The two questions of a trip, whichever it is. */
export type QuestionValues = { prima: string; seconda: string };

/** The form of a trip's questions. Those of the first must both be written, those of the second are saved as they are (spec 5). */
export function questionsForm(viaggio: Viaggio): RecordFormOptions<QuestionsRecord, QuestionValues> {
  const [first, second] = QUESTION_FIELDS[viaggio];
  return {
    name: `domande-${viaggio}`,
    source: questionsSource,
    labels: texts.fields,
    toValues: (record) => ({ prima: record[first] ?? '', seconda: record[second] ?? '' }),
    toFields: ({ prima, seconda }) => ({ [first]: storedText(prima), [second]: storedText(seconda) }),
    ...(viaggio === 1 && { validate: bothWritten, blocked: (values) => bothWritten(values) !== null }),
    sentences: { saved: texts.saved[viaggio], loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
  };
}

function bothWritten(values: QuestionValues) {
  const empty = (['prima', 'seconda'] as const).filter((field) => values[field].trim() === '');
  return empty.length === 0 ? null : { sentence: texts.required, fields: empty };
}
