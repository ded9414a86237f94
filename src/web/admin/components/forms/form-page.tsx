import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import { PageFrame } from '../page-frame.tsx';
import { PREVIEW_DELAY_MS, WithPreview } from '../phone-frame/with-preview.tsx';
import { FormBody, FormSaveBar } from './form-body.tsx';
import type { RecordFormOptions } from './form-options.ts';
import type { Values } from './merge.ts';
import type { Versioned } from './save-merging.ts';
import { LoadingPage } from './unread-page.tsx';
import { useRecord } from './use-record.ts';
import { type RecordForm, useRecordForm } from './use-record-form.ts';

type FormPageProps<R extends Versioned, V extends Values> = {
  path: AdminPath;
  form: RecordFormOptions<R, V>;
  renderFields: (form: RecordForm<R, V>) => ReactNode;
  /** The phone next to the fields, showing the typed values. */
  renderPreview: (values: V, record: R) => ReactNode;
  /** Content above the form. */
  renderAbove?: (record: R) => ReactNode;
  /** Placeholder until the record is read, if the default (fields next to a phone) does not fit. */
  coming?: ReactNode;
  /** Content below the form. */
  below?: ReactNode;
};

/** A page with one form and its preview. */
export function FormPage<R extends Versioned, V extends Values>(props: FormPageProps<R, V>) {
  const { source, sentences } = props.form;
  const { coming } = props;
  const { record, problem, retry } = useRecord(source, sentences);
  if (record !== undefined) return <LoadedPage {...props} record={record} />;
  const unread = { problem, onRetry: retry, ...(coming !== undefined && { coming }) };
  return <LoadingPage {...adminPageTexts[props.path]} {...unread} />;
}

function LoadedPage<R extends Versioned, V extends Values>(props: FormPageProps<R, V> & { record: R }) {
  const form = useRecordForm(props.form, props.record);
  const [values] = useDebouncedValue(form.values, PREVIEW_DELAY_MS);
  return (
    <PageFrame {...adminPageTexts[props.path]}>
      {props.renderAbove?.(form.record)}
      <WithPreview bar={<FormSaveBar form={form} />} preview={props.renderPreview(values, form.record)}>
        <FormBody form={form} barAside>
          {props.renderFields(form)}
        </FormBody>
      </WithPreview>
      {props.below}
    </PageFrame>
  );
}
