import { Stack, TextInput } from '@mantine/core';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { eveningPageTexts as texts } from '../../../../texts/admin/evening.ts';
import { Card } from '../../components/card.tsx';
import { FormPage } from '../../components/forms/form-page.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { LineField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { Address } from './address.tsx';
import { ContactPreview } from './contact-preview.tsx';
import { type EveningValues, eveningForm } from './evening-form.ts';
import { Graduation } from './graduation.tsx';

/** What surrounds the evening: when the site closes, who is named to a disconnected visitor, and the address (decisions 23, 24 and 40). */
export function Page() {
  return (
    <FormPage
      path="/admin/serata"
      form={eveningForm}
      renderFields={(form) => <Fields form={form} />}
      renderPreview={() => <Address />}
    />
  );
}

/** Each field with what it does. */
function Fields({ form }: { form: RecordForm<ConfigRecord, EveningValues> }) {
  const { values, record } = form;
  return (
    <Stack gap="lg">
      <Card title={texts.graduation.title} hint={texts.graduation.hint}>
        <TextInput
          type="date"
          size="md"
          label={texts.graduation.label}
          maw="14rem"
          {...form.input('data_laurea')}
        />
        <Graduation typed={values.data_laurea} saved={record.data_laurea} />
      </Card>
      <Card title={texts.contact.title} hint={texts.contact.hint}>
        <LineField
          form={form}
          field="contatto"
          max={MAX_LENGTH.contact}
          placeholder={texts.contact.placeholder}
        />
        <ContactPreview contatto={values.contatto.trim()} />
      </Card>
    </Stack>
  );
}
