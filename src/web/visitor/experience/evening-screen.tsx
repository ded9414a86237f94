import { useSelector } from '@xstate/react';
import { type ComponentType, useEffect, useState } from 'react';
import type { Stage } from '../../../domain/itinerary.ts';
import {
  type CurrentPhrase,
  currentPhrase,
  currentStage,
  isPaused,
  pictureSeconds,
  questionsOf,
  screenOf,
} from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { usePalette } from '../../palette.ts';
import { ActionButton } from '../../scenes/action.tsx';
import { Closing } from '../../scenes/closing.tsx';
import { Destination } from '../../scenes/destination.tsx';
import { FallingHearts } from '../../scenes/falling-hearts.tsx';
import { HOURS, type Hour } from '../../scenes/hours.ts';
import { Night } from '../../scenes/night.tsx';
import { Phrase } from '../../scenes/phrase.tsx';
import { Questions } from '../../scenes/questions.tsx';
import { Sentence } from '../../scenes/sentence.tsx';
import { CardScreen } from './card-screen.tsx';
import { experienceSong } from './media.ts';
import { NoticeLine } from './notice-line.tsx';
import { forgetNotice } from './notices.ts';
import { usePrefetch } from './prefetch.ts';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';
import { TicketsShelf } from './tickets-shelf.tsx';
import { useCalm } from './use-calm.ts';
import { VideoScreen } from './video-screen.tsx';

const screens: Record<Stage, ComponentType<ScreenProps>> = {
  pre_phrases: PhrasesScreen,
  video: VideoScreen,
  between_phrases: PhrasesScreen,
  phrases: PhrasesScreen,
  destination: DestinationScreen,
  card: CardScreen,
  questions: QuestionsScreen,
  closing: ClosingScreen,
};

/** The state of the chart, drawn. */
export function EveningScreen({ actor }: ScreenProps) {
  usePalette('night');
  usePrefetch(actor);
  useEffect(() => forgetNotice, []);
  const screen = useSelector(actor, screenOf);
  const step = useSelector(actor, (snapshot) => currentStage(snapshot)?.step ?? -1);
  const paused = useSelector(actor, isPaused);
  const hour = useHour(actor);
  const calm = useCalm();
  return (
    <Night hour={hour} still={screen === 'video' || paused} calm={calm}>
      <TicketsShelf actor={actor}>
        {isStage(screen) ? (
          <Staged key={step} stage={screen} actor={actor} />
        ) : (
          <Between screen={screen} actor={actor} hour={hour} />
        )}
        {/* The film covers everything: over it, it says its own. */}
        {screen !== 'video' && <NoticeLine paused={paused} alone={screen === 'disconnected'} />}
      </TicketsShelf>
    </Night>
  );
}

/** The hour of the stage on show; between two stages that of the one before. */
function useHour(actor: ScreenProps['actor']): Hour {
  const stage = useSelector(actor, (snapshot) => currentStage(snapshot)?.content.stage ?? null);
  const [hour, setHour] = useState<Hour>(HOURS[stage ?? 'pre_phrases']);
  if (stage !== null && HOURS[stage] !== hour) setHour(HOURS[stage]);
  return hour;
}

function Staged({ stage, actor }: ScreenProps & { stage: Stage }) {
  const Screen = screens[stage];
  return <Screen actor={actor} />;
}

type BetweenScreen = Exclude<ReturnType<typeof screenOf>, Stage>;

/** Between stages there is the night, and a sentence only where it lasts. */
function Between({ screen, actor, hour }: ScreenProps & { screen: BetweenScreen; hour: Hour }) {
  switch (screen) {
    case 'loading':
    case 'waiting':
      return <Sentence text={texts.loading} quiet />;
    case 'offline':
      return (
        <Sentence text={texts.offline}>
          <ActionButton onClick={() => actor.send({ type: 'RETRY' })}>{texts.retry}</ActionButton>
        </Sentence>
      );
    case 'disconnected':
      return null;
    // The end's hearts stay until the page is left.
    case 'over':
      return hour === 'dawn' ? <FallingHearts /> : null;
  }
}

function isStage(screen: ReturnType<typeof screenOf>): screen is Stage {
  return screen in screens;
}

/** A single trip closes on one phrase, the second trip on its sequence, an evening without either on the hearts alone. */
function ClosingScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'closing');
  const phrase = useSelector(actor, currentPhrase, samePhrase);
  const leaving = useSelector(actor, (snapshot) => snapshot.matches({ evening: 'completing' }));
  if (content === null) return null;
  if (content.viaggio === 1 || content.frasi.length === 0)
    return <Closing text={phrase?.text ?? null} over={leaving} />;
  return (
    <>
      <FallingHearts />
      {!leaving && phrase !== null && !phrase.resting && <Phrase key={phrase.run} {...phrase} />}
    </>
  );
}

/** Any of the five sequences of phrases. In the pause after the last one the words are gone. */
function PhrasesScreen({ actor }: ScreenProps) {
  const phrase = useSelector(actor, currentPhrase, samePhrase);
  if (phrase === null || phrase.resting) return null;
  return <Phrase key={phrase.run} {...phrase} />;
}

/** Selectors make a new object each time; only these differences show. */
function samePhrase(a: CurrentPhrase | null, b: CurrentPhrase | null): boolean {
  return a?.run === b?.run && a?.resting === b?.resting && a?.paused === b?.paused;
}

function DestinationScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'destination');
  // As they were when the picture's time began.
  const [seconds] = useState(() => pictureSeconds(actor.getSnapshot()));
  return content && <Destination {...content} seconds={seconds} />;
}

/** Both answers, once each. The second one is a tap, and only a tap may prepare the song's fade where volume has no effect. */
function QuestionsScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'questions');
  const chosen = useSelector(actor, (snapshot) => questionsOf(snapshot).chosen);
  const sending = useSelector(actor, (snapshot) => questionsOf(snapshot).sending);
  const { risposta_1 = null, risposta_2 = null } = chosen;
  if (content === null) return null;
  const bothGiven = risposta_1 !== null && risposta_2 !== null;
  return (
    <Questions
      domanda_1={content.domanda_1}
      domanda_2={content.domanda_2}
      risposta_1={risposta_1}
      risposta_2={risposta_2}
      onAnswer={(question, value) => {
        if ((question === 1 ? risposta_2 : risposta_1) !== null) experienceSong().prepareFade();
        actor.send({ type: 'ANSWER', question, value });
      }}
    >
      {bothGiven && <p>{sending ? texts.sendingAnswers : texts.answersKept}</p>}
    </Questions>
  );
}
