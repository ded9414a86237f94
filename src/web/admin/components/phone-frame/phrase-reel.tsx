import { useEffect, useState } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { displaySeconds, gapBefore } from '../../../../domain/content.ts';
import { phoneTexts } from '../../../../texts/admin/phone.ts';
import { Phrase } from '../../../scenes/phrase.tsx';
import { StatusMessage } from '../../../scenes/sentence.tsx';

type PhraseReelProps = {
  /** As stored; blank ones are skipped, as in the evening. */
  phrases: readonly string[];
  seconds: number;
  /** True: each phrase stays exactly `seconds`. False: at least, and as long as it takes to read. */
  exact?: boolean;
  /** Index of the edited phrase, which is shown and stays. Undefined: all play in order, and the last stays. */
  at?: number | undefined;
};

type ShownPhrase = { text: string; position: number };

/** Time before a phrase's exit at which the last one is paused, in ms. */
const BEFORE_LEAVING_MS = 600;

/** A sequence of phrases as the visitor sees it, one at a time. */
export function PhraseReel({ phrases, seconds, exact = false, at }: PhraseReelProps) {
  const shown = phrases.flatMap((text, position) => (isBlank(text) ? [] : [{ text: text.trim(), position }]));
  const [playIndex, setPlayIndex] = useState(0);
  const edited = at === undefined ? undefined : `${at} ${phrases[at]}`;
  const [seen, setSeen] = useState(edited);
  const [held, setHeld] = useState(at);
  // Shows the edited phrase as it changes.
  if (edited !== seen) {
    setSeen(edited);
    setHeld(at);
  }
  const index = held === undefined ? Math.min(playIndex, shown.length - 1) : indexOf(shown, held);
  const phrase = shown[index];
  if (phrase === undefined)
    return <StatusMessage text={shown.length === 0 ? phoneTexts.noPhrases : phoneTexts.blankPhrase} quiet />;
  const goesOn = held === undefined && index < shown.length - 1;
  return (
    <TimedPhrase
      key={`${index} ${phrase.text}`}
      text={phrase.text}
      seconds={displaySeconds(phrase.text, seconds, exact)}
      index={index}
      total={shown.length}
      gapMs={gapBefore(shown[index + 1]?.text ?? '')}
      onEnd={goesOn ? () => setPlayIndex(index + 1) : undefined}
    />
  );
}

function indexOf(shown: readonly ShownPhrase[], position: number): number {
  return shown.findIndex((phrase) => phrase.position === position);
}

type TimedPhraseProps = {
  text: string;
  seconds: number;
  index: number;
  total: number;
  /** Empty sky after the phrase, in ms. */
  gapMs: number;
  /** Called after the phrase and its gap; undefined: the phrase stays. */
  onEnd: (() => void) | undefined;
};

function TimedPhrase({ text, seconds, index, total, gapMs, onEnd: onOver }: TimedPhraseProps) {
  const [still, setStill] = useState(false);
  const goesOn = onOver !== undefined;
  useEffect(() => {
    const endMs = seconds * 1_000;
    const timer = goesOn
      ? setTimeout(() => onOver(), endMs + gapMs)
      : setTimeout(() => setStill(true), endMs - BEFORE_LEAVING_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new function isn't a new phrase
  }, [seconds, gapMs, goesOn]);
  return <Phrase text={text} seconds={seconds} index={index} total={total} paused={still} />;
}
