import type { ReactNode } from 'react';
import { Failure } from '../../failure.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { Loading } from '../../shell/loading.tsx';
import type { FormSentences } from '../config-form/form-options.ts';
import { type ConfigRecord, configSource } from '../config-form/sources.ts';
import { useRecord } from '../config-form/use-record.ts';

type WithConfigProps = { sentences: FormSentences; children: (config: ConfigRecord) => ReactNode };

/** What needs the configuration: waiting for it, told that it can't be read, or with it. */
export function WithConfig({ sentences, children }: WithConfigProps) {
  const { record, problem, retry } = useRecord(configSource, sentences);
  if (record !== undefined) return children(record);
  if (problem === null) return <Loading />;
  return <ErrorState error={new Failure('UNREADABLE', problem)} fallback={problem} onRetry={retry} />;
}
