import { useState } from 'react';
import type { FrasiFinali } from '../../../../domain/content.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { finalPhrasesTexts as texts } from '../../../../texts/admin/content-forms.ts';
import { Closing } from '../../../scenes/closing.tsx';
import type { RecordFormOptions } from '../../kit/config-form/form-options.ts';
import { FormPage } from '../../kit/config-form/form-page.tsx';
import { type ConfigRecord, configSource } from '../../kit/config-form/sources.ts';
import { LinesField } from '../../kit/config-form/text-fields.tsx';
import { PhonePreview } from '../../kit/phone-frame/phone-preview.tsx';

const FIELDS = ['entrambi_si', 'entrambi_no', 'misto'] as const;

const form: RecordFormOptions<ConfigRecord, FrasiFinali> = {
  name: 'frasi-finali',
  source: configSource,
  labels: texts.fields,
  toValues: ({ frasi_finali }) => frasi_finali ?? { entrambi_si: '', entrambi_no: '', misto: '' },
  toFields: (frasi_finali) => ({ frasi_finali }),
  sentences: texts,
};

/** The closing phrase for each pair of answers (spec 2 «Final phrases page»); the phone shows the one being written. */
export function Page() {
  const [shown, setShown] = useState<keyof FrasiFinali>('entrambi_si');
  return (
    <FormPage
      path="/admin/frasi-finali"
      form={form}
      renderFields={(state) =>
        FIELDS.map((field) => (
          <LinesField
            key={field}
            form={state}
            field={field}
            max={MAX_LENGTH.phrase}
            onFocus={() => setShown(field)}
            {...(field === 'entrambi_si' && { description: texts.hint })}
          />
        ))
      }
      renderPreview={(values) => {
        const text = values[shown].trim();
        return (
          <PhonePreview label={texts.fields[shown]}>
            <Closing key={shown + text} text={text === '' ? null : text} />
          </PhonePreview>
        );
      }}
    />
  );
}
