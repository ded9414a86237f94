import { useSelector } from '@xstate/react';
import { type ComponentType, useEffect } from 'react';
import type { Stage } from '../../../domain/itinerary.ts';
import { currentStage, isPaused, screenOf } from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { usePalette } from '../../palette.ts';
import { ActionButton } from '../../scenes/action.tsx';
import { Night } from '../../scenes/night.tsx';
import { Sentence } from '../../scenes/sentence.tsx';
import { CardScreen } from './card-screen.tsx';
import { ClosingScreen } from './closing-screen.tsx';
import { DestinationScreen } from './destination-screen.tsx';
import { NoticeLine } from './notice-line.tsx';
import { forgetNotice } from './notices.ts';
import { PhrasesScreen } from './phrases-screen.tsx';
import { usePrefetch } from './prefetch.ts';
import { QuestionsScreen } from './questions-screen.tsx';
import type { ScreenProps } from './screen-props.ts';
import { TicketsShelf } from './tickets-shelf.tsx';
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
  return (
    <Night still={screen === 'video' || paused}>
      <TicketsShelf actor={actor}>
        {isStage(screen) ? (
          <Staged key={step} stage={screen} actor={actor} />
        ) : (
          <Between screen={screen} actor={actor} />
        )}
        {/* The film covers everything: over it, it says its own. */}
        {screen !== 'video' && <NoticeLine paused={paused} alone={screen === 'disconnected'} />}
      </TicketsShelf>
    </Night>
  );
}

function Staged({ stage, actor }: ScreenProps & { stage: Stage }) {
  const Screen = screens[stage];
  return <Screen actor={actor} />;
}

type BetweenScreen = Exclude<ReturnType<typeof screenOf>, Stage>;

/** Between stages there is the night, and a sentence only where it lasts. */
function Between({ screen, actor }: ScreenProps & { screen: BetweenScreen }) {
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
    case 'over':
      return null;
  }
}

function isStage(screen: ReturnType<typeof screenOf>): screen is Stage {
  return screen in screens;
}
