import { Text } from '@mantine/core';
import { useState } from 'react';
import type { FrasiFinali } from '../../../../domain/configuration.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { finalPhrasesTexts as texts } from '../../../../texts/admin/forms.ts';
import { closingIdeas } from '../../../../texts/admin/phrases.ts';
import { Closing } from '../../../scenes/closing.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LinesField } from '../../components/forms/text-fields.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { FormSuggestions } from '../../components/suggestions/suggestions.tsx';
import { useRecipientName } from '../../components/use-her-name.ts';

const FIELDS = ['entrambi_si', 'entrambi_no', 'misto'] as const;

const form: RecordFormOptions<ConfigRecord, FrasiFinali> = {
  name: 'frasi-finali',
  source: configSource,
  labels: texts.fields,
  toValues: ({ frasi_finali }) => frasi_finali ?? { entrambi_si: '', entrambi_no: '', misto: '' },
  toFields: (frasi_finali) => ({ frasi_finali }),
  sentences: texts,
};

/** The closing phrase for each pair of answers (spec 2 «Final phrases page»). The phone shows the edited one. */
export function Page() {
  const [shown, setShown] = useState<keyof FrasiFinali>('entrambi_si');
  const { personalize } = useRecipientName();
  return (
    <FormPage
      path="/admin/frasi-finali"
      form={form}
      renderFields={(state) => (
        <>
          {FIELDS.map((field) => (
            <div key={field}>
              <LinesField
                form={state}
                field={field}
                max={MAX_LENGTH.phrase}
                onFocus={() => setShown(field)}
              />
              <FormSuggestions
                form={state}
                fields={[field]}
                ideas={closingIdeas[field].map((idea) => [idea])}
                onApplied={() => setShown(field)}
              />
            </div>
          ))}
          <Text c="dimmed">{texts.hint}</Text>
        </>
      )}
      renderAbove={() => <UnseenNotice of="closing" />}
      renderPreview={(values) => {
        const text = personalize(values[shown]).trim();
        return (
          <PhonePreview label={texts.fields[shown]} hour="dawn">
            <Closing key={shown + text} text={text === '' ? null : text} />
          </PhonePreview>
        );
      }}
    />
  );
}
