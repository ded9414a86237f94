import { Stack, Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import type { Questions as StoredQuestions } from '../../../../domain/configuration.ts';
import type { Viaggio } from '../../../../domain/content.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { questionIdeas } from '../../../../texts/admin/phrases.ts';
import { questionsTexts as texts } from '../../../../texts/admin/questions.ts';
import { StatusMessage } from '../../../scenes/sentence.tsx';
import { ReceivedAnswers } from '../../components/answers/received-answers.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type QuestionsRecord, questionsSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { LinesField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { usePicture } from '../../components/media/focus/use-picture.ts';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { QuestionReel } from '../../components/phone-frame/phrase-reel.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { FormSuggestions } from '../../components/suggestions/suggestions.tsx';

/** Fields of a trip's two questions in the row of questions. */
const STORED = {
  1: ['domanda_1', 'domanda_2'],
  2: ['domanda_1_viaggio_2', 'domanda_2_viaggio_2'],
} as const satisfies Record<Viaggio, readonly [keyof StoredQuestions, keyof StoredQuestions]>;

/** The two questions of either trip. */
type QuestionValues = { prima: string; seconda: string };

/** Returns the form of a trip's questions. The first trip requires both; the second trip's are saved unchecked (spec 5). */
function questionsForm(viaggio: Viaggio): RecordFormOptions<QuestionsRecord, QuestionValues> {
  const [first, second] = STORED[viaggio];
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
  const empty = (['prima', 'seconda'] as const).filter((field) => isBlank(values[field]));
  return empty.length === 0 ? null : { sentence: texts.required, fields: empty };
}

const FORMS = { 1: questionsForm(1), 2: questionsForm(2) };
const PATHS = { 1: '/admin/checkbox', 2: '/admin/second-trip-checkbox' } as const;

/**
 * Returns the page of a trip's two questions with a preview. The first trip's page also lists the answers of both trips (spec 2
 * «Questions pages»).
 */
export function questionsPage(viaggio: Viaggio): ComponentType {
  return () => <QuestionsPage viaggio={viaggio} />;
}

function QuestionsPage({ viaggio }: { viaggio: Viaggio }) {
  const { hues } = usePicture(viaggio);
  return (
    <FormPage
      path={PATHS[viaggio]}
      form={FORMS[viaggio]}
      renderFields={(form) => <Fields form={form} viaggio={viaggio} />}
      renderAbove={() => viaggio === 2 && <UnseenNotice of="second" />}
      renderPreview={(values) => (
        <PhonePreview label={texts.preview} hour="journey" hues={hues}>
          <QuestionsPreview {...values} />
        </PhonePreview>
      )}
      below={viaggio === 1 && <ReceivedAnswers />}
    />
  );
}

function Fields({ form, viaggio }: { form: RecordForm<QuestionsRecord, QuestionValues>; viaggio: Viaggio }) {
  const { prima, seconda } = form.values;
  const halfWritten = isBlank(prima) !== isBlank(seconda);
  return (
    <Stack>
      {(['prima', 'seconda'] as const).map((field) => (
        <LinesField
          key={field}
          form={form}
          field={field}
          max={MAX_LENGTH.question}
          placeholder={texts.placeholders[field]}
        />
      ))}
      <FormSuggestions form={form} fields={['prima', 'seconda']} ideas={questionIdeas[viaggio]} />
      <Text c="dimmed">{texts.hint[viaggio]}</Text>
      {viaggio === 2 && halfWritten && <Text>{texts.secondNeedsBoth}</Text>}
    </Stack>
  );
}

/** Preview of the questions, which are only asked if both are written. */
function QuestionsPreview({ prima, seconda }: QuestionValues) {
  if (isBlank(prima) || isBlank(seconda)) return <StatusMessage text={texts.previewEmpty} quiet />;
  return <QuestionReel domanda_1={prima.trim()} domanda_2={seconda.trim()} />;
}
