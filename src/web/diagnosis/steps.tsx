import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DiagnosisStep, Findings } from '../../domain/diagnosis.ts';
import { stepTexts, diagnosisTexts as texts } from '../../texts/diagnosis.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { experienceSong } from '../visitor/experience/media.ts';
import { openTickets } from '../visitor/media/tickets.ts';
import { unlockMedia } from '../visitor/media-host.ts';
import { keepsCookies } from './calls.ts';
import { SONG_URL, TICKET_URL } from './files.ts';
import { AwayStep, FilmStep, type StepProps } from './film-steps.tsx';
import { readDeviceInfo } from './look-at-phone.ts';
import { measureConnection } from './measure-line.ts';
import { type DiagnosisProgress, isStored } from './progress.ts';
import { Answers, Question } from './question.tsx';

type OneStepProps = {
  step: DiagnosisStep;
  props: StepProps;
  progress: DiagnosisProgress;
  backs: number;
  toFilm: () => void;
};

export function OneStep({ step, props, progress, backs: backCount, toFilm }: OneStepProps) {
  switch (step) {
    case 'phone':
      return <PhoneStep {...props} progress={progress} />;
    case 'line':
      return <LineStep {...props} />;
    case 'film':
      return <FilmStep {...props} />;
    case 'song':
      return <SongStep {...props} />;
    case 'fade':
      return <FadeStep {...props} />;
    case 'sound':
      return <SoundStep {...props} onAgain={toFilm} />;
    case 'picture':
      return <PictureStep {...props} />;
    case 'buttons':
      return <ButtonsStep {...props} />;
    case 'turn':
      return <TurnStep {...props} />;
    case 'back':
      return <BackStep {...props} backs={backCount} />;
    case 'away':
    case 'lock':
      return <AwayStep {...props} step={step} />;
    case 'ticket':
      return <TicketStep {...props} />;
  }
}

/** Runs after the reload at the start: checks cookies and storage, and reads the device information. */
function PhoneStep({ index, onResult, progress }: StepProps & { progress: DiagnosisProgress }) {
  useCheck(async () => {
    const storage = isStored(progress);
    const [cookies, deviceInfo] = await Promise.all([keepsCookies(), readDeviceInfo()]);
    return { ...deviceInfo, storage, cookies };
  }, onResult);
  return <Question {...stepTexts.phone} step={index} />;
}

/** Measures the connection. */
function LineStep({ index, onResult, onSkip }: StepProps) {
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

/** Interval of the check whether the song waits for a tap, in ms. */
const POLL_MS = 200;

/** Asks about the song after the film, which should have started automatically. Without a film, a tap starts it. */
function SongStep({ index, onResult, onSkip }: StepProps) {
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
function FadeStep({ index, onResult, onSkip }: StepProps) {
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

/** Tests whether the page rotates with the phone. */
function TurnStep({ index, onResult, onSkip }: StepProps) {
  const turned = useEffectEvent(() => onResult({ turned: true }));
  useEffect(() => {
    const wide = matchMedia('(orientation: landscape)');
    const listener = () => turned();
    wide.addEventListener('change', listener);
    return () => wide.removeEventListener('change', listener);
  }, []);
  return (
    <Question {...stepTexts.turn} step={index} onSkip={onSkip}>
      <Button wide look="quiet" onClick={() => onResult({ turned: false })}>
        {texts.notTurning}
      </Button>
    </Question>
  );
}

/** Asks whether the film was audible. After a no, shows a hint and offers the film again. */
function SoundStep({ index, onResult, onSkip, onAgain }: StepProps & { onAgain: () => void }) {
  const [isUnheard, setUnheard] = useState(false);
  if (isUnheard)
    return (
      <Question title={stepTexts.sound.title} text={texts.unmute} step={index}>
        <Button wide onClick={onAgain}>
          {texts.replay}
        </Button>
        <Button wide look="quiet" onClick={() => onResult({ heard: 'no' })}>
          {texts.stillNo}
        </Button>
      </Question>
    );
  return (
    <Question {...stepTexts.sound} step={index} onSkip={onSkip}>
      <Answers onAnswer={(heard) => (heard === 'no' ? setUnheard(true) : onResult({ heard }))} />
    </Question>
  );
}

function PictureStep({ index, onResult, onSkip }: StepProps) {
  return (
    <Question {...stepTexts.picture} step={index} onSkip={onSkip}>
      <Answers onAnswer={(fills) => onResult({ fills })} />
    </Question>
  );
}

function ButtonsStep({ index, onResult, onSkip }: StepProps) {
  return (
    <Question {...stepTexts.buttons} step={index} onSkip={onSkip}>
      <Answers onAnswer={(buttons) => onResult({ buttons })} />
    </Question>
  );
}

/** Opens a document as the evening opens its tickets, and asks whether the user could come back. */
function TicketStep({ index, onResult, onSkip }: StepProps) {
  const [tapped, setTapped] = useState(false);
  const [tickets] = useState(() => openTickets(TICKET_URL));
  useEffect(() => {
    tickets.fetchAhead();
    return tickets.close;
  }, [tickets]);
  return (
    <Question {...stepTexts.ticket} step={index} onSkip={onSkip}>
      <a
        className={buttonClass({ wide: true, look: tapped ? 'quiet' : 'gold' })}
        href={TICKET_URL}
        download="biglietto-di-prova.pdf"
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          void tickets.downloadTapped(event);
          setTapped(true);
        }}
      >
        {texts.ticket}
      </a>
      {tapped && <Answers onAnswer={(ticket) => onResult({ ticket })} />}
    </Question>
  );
}

/**
 * Tests whether the back action is neutralised, as in the evening.
 * @param backs number of neutralised back actions since the page was opened
 */
function BackStep({ index, onResult, onSkip, backs }: StepProps & { backs: number }) {
  const [before] = useState(backs);
  const reportResult = useEffectEvent((back_held: boolean) => onResult({ back_held }));
  useEffect(() => {
    if (backs > before) reportResult(true);
  }, [backs, before]);
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      // A page restored from the browser's memory was left before.
      if (persisted) reportResult(false);
    };
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  return <Question {...stepTexts.back} step={index} onSkip={onSkip} />;
}
