import { useEffect, useEffectEvent } from 'react';
import type { Findings } from '../../../domain/diagnosis.ts';
import { stepTexts } from '../../../texts/diagnosis.ts';
import { keepsCookies } from '../calls.ts';
import { readDeviceInfo } from '../look-at-phone.ts';
import { measureConnection } from '../measure-line.ts';
import { type DiagnosisProgress, storageHolds } from '../progress.ts';
import { Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Runs after the reload at the start: checks cookies and storage, and reads the device information. */
export function PhoneStep({ index, onResult, progress }: StepProps & { progress: DiagnosisProgress }) {
  useFound(async () => {
    const storage = storageHolds(progress);
    const [cookies, seen] = await Promise.all([keepsCookies(), readDeviceInfo()]);
    return { ...seen, storage, cookies };
  }, onResult);
  return <Question {...stepTexts.phone} step={index} />;
}

/** Measures the connection. */
export function LineStep({ index, onResult, onSkip }: StepProps) {
  useFound(measureConnection, onResult);
  return <Question {...stepTexts.line} step={index} onSkip={onSkip} />;
}

/** Runs a check once and reports its findings, unless the step was left before. */
function useFound(look: () => Promise<Findings>, onFound: (found: Findings) => void): void {
  const find = useEffectEvent(look);
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    let gone = false;
    void find().then((found) => {
      if (!gone) tell(found);
    });
    return () => {
      gone = true;
    };
  }, []);
}
