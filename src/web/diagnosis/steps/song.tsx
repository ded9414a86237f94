import { useEffect, useRef, useState } from 'react';
import type { Findings } from '../../../domain/diagnosis.ts';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { Button } from '../../ui/button.tsx';
import { experienceSong } from '../../visitor/experience/media.ts';
import { unlockMedia } from '../../visitor/media-host.ts';
import { SONG_URL } from '../files.ts';
import { Answers, Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Interval of the check whether the song waits for a tap, in ms. */
const POLL_MS = 200;

/** Asks about the song after the film, which should have started automatically. Without a film, a tap starts it. */
export function SongStep({ index, onResult, onSkip }: StepProps) {
  const song = experienceSong();
  const [silent, setSilent] = useState(() => song.phase() === 'silent');
  const [byTap, setByTap] = useState(false);
  const [isUnheard, setUnheard] = useState(false);
  const waited = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => {
      waited.current ||= experienceSong().phase() === 'waiting' && !document.hidden;
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
  const start = () => {
    unlockMedia();
    song.start({ url: SONG_URL, viaggio: 1 });
    setSilent(false);
    setByTap(true);
  };
  const howItStarted = (): Findings['song'] => {
    if (song.phase() !== 'playing') return 'stuck';
    if (byTap) return undefined;
    return waited.current ? 'tap' : 'by_itself';
  };
  const answerHeard = (song_heard: NonNullable<Findings['song_heard']>) =>
    onResult({ song: howItStarted(), song_heard });
  if (silent)
    return (
      <Question title={stepTexts.song.title} step={index} onSkip={onSkip}>
        <Button wide onClick={start}>
          {texts.startSong}
        </Button>
      </Question>
    );
  if (isUnheard) return <Unmute title={stepTexts.song.title} place={index} onAnswer={answerHeard} />;
  return (
    <Question
      title={stepTexts.song.title}
      text={byTap ? undefined : stepTexts.song.text}
      step={index}
      onSkip={onSkip}
    >
      <Answers onAnswer={(answer) => (answer === 'no' ? setUnheard(true) : answerHeard(answer))} />
    </Question>
  );
}

type UnmuteProps = { title: string; place: number; onAnswer: (answer: 'yes' | 'no') => void };

function Unmute({ title, place, onAnswer }: UnmuteProps) {
  return (
    <Question title={title} text={texts.unmute} step={place}>
      <Button wide onClick={() => onAnswer('yes')}>
        {texts.yes}
      </Button>
      <Button wide onClick={() => onAnswer('no')}>
        {texts.stillNo}
      </Button>
    </Question>
  );
}

/** Asks about the song's fade, started by a tap as at the end of the evening. */
export function FadeStep({ index, onResult, onSkip }: StepProps) {
  const [faded, setFaded] = useState(false);
  const fade = () => {
    experienceSong().prepareFade();
    experienceSong().fade();
    setFaded(true);
  };
  return (
    <Question
      title={stepTexts.fade.title}
      text={faded ? texts.lowering : stepTexts.fade.text}
      step={index}
      onSkip={onSkip}
    >
      {faded ? (
        <Answers onAnswer={(answer) => onResult({ faded: answer })} />
      ) : (
        <Button wide onClick={fade}>
          {texts.lowerSong}
        </Button>
      )}
    </Question>
  );
}
