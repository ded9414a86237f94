import { useEffect, useState } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { displaySeconds, gapBefore } from '../../../../domain/content.ts';
import { phoneTexts } from '../../../../texts/admin/preview.ts';
import { Phrase } from '../../../scenes/phrase.tsx';
import { Questions } from '../../../scenes/questions.tsx';
import { StatusMessage } from '../../../scenes/sentence.tsx';
import { useRecipientName } from '../use-her-name.ts';

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

type Props = {
  domanda_1: string;
  domanda_2: string;
  /** A still picture: the first question stays. */
  still?: boolean;
};

/** Time the first question stays, in ms. */
const FIRST_MS = 4_000;

/** Both questions of a trip as the visitor sees them, in turn. An edited question is shown and stays. */
export function QuestionReel({ domanda_1, domanda_2, still = false }: Props) {
  const { name, personalize } = useRecipientName();
  const [current, setCurrent] = useState<1 | 2>(1);
  const [plays, setPlays] = useState(!still);
  const [seen, setSeen] = useState({ domanda_1, domanda_2 });
  if (seen.domanda_1 !== domanda_1 || seen.domanda_2 !== domanda_2) {
    setCurrent(seen.domanda_1 === domanda_1 ? 2 : 1);
    setPlays(false);
    setSeen({ domanda_1, domanda_2 });
  }
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => setCurrent(2), FIRST_MS);
    return () => clearTimeout(timer);
  }, [plays]);
  return (
    <Questions
      domanda_1={personalize(domanda_1)}
      domanda_2={personalize(domanda_2)}
      current={current}
      risposta_1={current === 2 ? true : null}
      risposta_2={null}
      recipient_name={name}
      onAnswer={() => {}}
    />
  );
}
