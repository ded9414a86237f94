import { useEffect, useEffectEvent } from 'react';
import type { Findings } from '../../../domain/diagnosis.ts';
import { stepTexts } from '../../../texts/diagnosis.ts';
import { keepsCookies } from '../calls.ts';
import { readDeviceInfo } from '../look-at-phone.ts';
import { measureConnection } from '../measure-line.ts';
import { type DiagnosisProgress, isStored } from '../progress.ts';
import { Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Runs after the reload at the start: checks cookies and storage, and reads the device information. */
export function PhoneStep({ index, onResult, progress }: StepProps & { progress: DiagnosisProgress }) {
  useCheck(async () => {
    const storage = isStored(progress);
    const [cookies, deviceInfo] = await Promise.all([keepsCookies(), readDeviceInfo()]);
    return { ...deviceInfo, storage, cookies };
  }, onResult);
  return <Question {...stepTexts.phone} step={index} />;
}

/** Measures the connection. */
export function LineStep({ index, onResult, onSkip }: StepProps) {
  useCheck(measureConnection, onResult);
  return <Question {...stepTexts.line} step={index} onSkip={onSkip} />;
}

/** Runs a check once and reports its findings, unless the step was left before. */
function useCheck(check: () => Promise<Findings>, onFound: (findings: Findings) => void): void {
  const runCheck = useEffectEvent(check);
  const report = useEffectEvent(onFound);
  useEffect(() => {
    let cancelled = false;
    void runCheck().then((findings) => {
      if (!cancelled) report(findings);
    });
    return () => {
      cancelled = true;
    };
  }, []);
}
