import { NumberInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { PHRASE_SECONDS } from '../../../../domain/limits.ts';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import { secondsOf } from './lists.ts';

/** Between two digits somebody may still be writing, in milliseconds. */
const WRITING_MS = 700;

/** How long every phrase stays: saved shortly after it is written, at once when it is left. */
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
    // What isn't a whole answer yet waits until the field is left.
    if (String(secondsOf(text)) === text) settle(text);
  }, WRITING_MS);
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
