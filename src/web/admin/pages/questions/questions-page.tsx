import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Viaggio } from '../../../../domain/content.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import type { AdminPath } from '../../../../texts/admin/pages.ts';
import { questionsTexts as texts } from '../../../../texts/admin/questions.ts';
import { Questions } from '../../../scenes/questions.tsx';
import { Sentence } from '../../../scenes/sentence.tsx';
import { FormPage } from '../../components/forms/form-page.tsx';
import type { QuestionsRecord } from '../../components/forms/sources.ts';
import { LinesField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { type QuestionValues, questionsForm } from './questions-form.ts';

type Props = { path: AdminPath; viaggio: Viaggio; below?: ReactNode };

const FORMS = { 1: questionsForm(1), 2: questionsForm(2) };

/** The two questions of a trip, beside what she will see of them. */
export function QuestionsPage({ path, viaggio, below }: Props) {
  return (
    <FormPage
      path={path}
      form={FORMS[viaggio]}
      renderFields={(form) => (
        <>
          {viaggio === 2 && <UnseenNotice path={path} />}
          <Fields form={form} viaggio={viaggio} />
        </>
      )}
      renderPreview={(values) => (
        <PhonePreview label={texts.preview}>
          <Asked {...values} />
        </PhonePreview>
      )}
      below={below}
    />
  );
}

function Fields({ form, viaggio }: { form: RecordForm<QuestionsRecord, QuestionValues>; viaggio: Viaggio }) {
  const { prima, seconda } = form.values;
  const halfWritten = (prima.trim() === '') !== (seconda.trim() === '');
  return (
    <Stack>
      <Text c="dimmed">{texts.hint[viaggio]}</Text>
      {(['prima', 'seconda'] as const).map((field) => (
        <LinesField
          key={field}
          form={form}
          field={field}
          max={MAX_LENGTH.question}
          placeholder={texts.placeholders[field]}
        />
      ))}
      {viaggio === 2 && halfWritten && <Text>{texts.secondNeedsBoth}</Text>}
    </Stack>
  );
}

/** Only a whole pair is ever asked (decision 14 of the product's rules). */
function Asked({ prima, seconda }: QuestionValues) {
  if (prima.trim() === '' || seconda.trim() === '') return <Sentence text={texts.previewEmpty} quiet />;
  return (
    <Questions
      domanda_1={prima.trim()}
      domanda_2={seconda.trim()}
      risposta_1={null}
      risposta_2={null}
      onAnswer={() => {}}
    />
  );
}
