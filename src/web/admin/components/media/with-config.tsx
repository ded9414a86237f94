import type { ReactNode } from 'react';
import { Failure } from '../../failure.ts';
import { ErrorState } from '../error-state.tsx';
import type { FormSentences } from '../forms/form-options.ts';
import { type ConfigRecord, configSource } from '../forms/sources.ts';
import { useRecord } from '../forms/use-record.ts';
import { Loading } from '../loading.tsx';

type WithConfigProps = { sentences: FormSentences; children: (config: ConfigRecord) => ReactNode };

/** What needs the configuration: waiting for it, told that it can't be read, or with it. */
export function WithConfig({ sentences, children }: WithConfigProps) {
  const { record, problem, retry } = useRecord(configSource, sentences);
  if (record !== undefined) return children(record);
  if (problem === null) return <Loading />;
  return <ErrorState error={new Failure('UNREADABLE', problem)} fallback={problem} onRetry={retry} />;
}
