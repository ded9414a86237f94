import { NumberInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { PHRASE_SECONDS } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { secondsOf } from './lists.ts';

/** Pause in typing after which the value is saved, in ms. */
const DEBOUNCE_MS = 700;

/** Duration of all phrases: saved shortly after typing, or when the field is left. */
export function SecondsInput({
  seconds,
  onChange,
}: {
  seconds: number;
  onChange: (seconds: number) => void;
}) {
  const [written, setWritten] = useState(String(seconds));
  useEffect(() => setWritten(String(seconds)), [seconds]);
  const settle = (text: string) => {
    const next = secondsOf(text);
    setWritten(String(next));
    if (next !== seconds) onChange(next);
  };
  const settleSoon = useDebouncedCallback((text: string) => {
    // An incomplete value waits until the field is left.
    if (String(secondsOf(text)) === text) settle(text);
  }, DEBOUNCE_MS);
  return (
    <NumberInput
      label={texts.seconds}
      description={texts.secondsHint}
      size="md"
      maw="18rem"
      min={PHRASE_SECONDS.min}
      max={PHRASE_SECONDS.max}
      clampBehavior="none"
      allowDecimal={false}
      value={written}
      onChange={(value) => {
        setWritten(String(value));
        settleSoon(String(value));
      }}
      onBlur={() => {
        settleSoon.cancel();
        settle(written);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(written);
      }}
    />
  );
}
