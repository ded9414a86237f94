import type { ReactNode } from 'react';
import type { FormSentences } from '../forms/form-options.ts';
import { type ConfigRecord, configSource } from '../forms/sources.ts';
import { FormSkeleton, LoadingOrError } from '../forms/unread-page.tsx';
import { useRecord } from '../forms/use-record.ts';

type WithConfigProps = { sentences: FormSentences; children: (config: ConfigRecord) => ReactNode };

/** Renders content that needs the configuration, or its placeholder or error. */
export function WithConfig({ sentences, children }: WithConfigProps) {
  const { record, problem, retry } = useRecord(configSource, sentences);
  if (record !== undefined) return children(record);
  return (
    <LoadingOrError problem={problem} onRetry={retry} coming={<FormSkeleton shape="pictures" count={1} />} />
  );
}
