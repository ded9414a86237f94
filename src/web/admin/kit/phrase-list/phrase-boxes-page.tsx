import { useMemo, useState } from 'react';
import type { WorkshopPath } from '../../../../texts/admin/pages.ts';
import type { FormSentences, RecordFormOptions } from '../config-form/form-options.ts';
import { FormPage } from '../config-form/form-page.tsx';
import { type ConfigRecord, configSource } from '../config-form/sources.ts';
import { PhonePreview } from '../phone-frame/phone-preview.tsx';
import { PhraseReel } from '../phone-frame/phrase-reel.tsx';
import { UnseenNotice } from '../second-trip/unseen-notice.tsx';
import { PhraseBoxes } from './phrase-boxes.tsx';

type ListField = 'frasi_tra_viaggi' | 'frasi_secondo_viaggio' | 'frasi_finali_secondo_viaggio';

export type PhraseBoxesPageProps = {
  path: WorkshopPath;
  field: ListField;
  texts: FormSentences & { list: string; preview: string };
};

type Values = { frasi: readonly string[] };

/** A page that is one list of phrases, saved by its button. */
export function PhraseBoxesPage({ path, field, texts }: PhraseBoxesPageProps) {
  const [at, setAt] = useState<number>();
  const form = useMemo<RecordFormOptions<ConfigRecord, Values>>(
    () => ({
      name: field,
      source: configSource,
      labels: { frasi: texts.list },
      toValues: (record) => ({ frasi: record[field] }),
      toFields: ({ frasi }) => ({ [field]: [...frasi] }),
      sentences: texts,
    }),
    [field, texts],
  );
  return (
    <FormPage
      path={path}
      form={form}
      renderFields={({ values, change }) => (
        <>
          {/* The second trip's own phrases are what makes one. */}
          {field !== 'frasi_secondo_viaggio' && <UnseenNotice path={path} />}
          <PhraseBoxes
            phrases={values.frasi}
            onChange={(next) => change(({ frasi }) => ({ frasi: next(frasi) }))}
            onFocus={setAt}
          />
        </>
      )}
      renderPreview={({ frasi }, { durata_frase_secondi }) => (
        <PhonePreview label={texts.preview}>
          <PhraseReel phrases={frasi} seconds={durata_frase_secondi} at={at} />
        </PhonePreview>
      )}
    />
  );
}
