import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import type { Viaggio } from '../../../domain/content.ts';
import type { Hues } from '../../../domain/hues.ts';
import type { Stage } from '../../../domain/itinerary.ts';
import {
  type CurrentPhrase,
  currentPhrase,
  currentStage,
  huesOf,
  isEnding,
  isPaused,
  isPictureArriving,
  pictureOnShow,
  pictureSeconds,
  questionsOf,
  screenOf,
  thanksOf,
} from '../../../experience/selectors.ts';
import type { VisitSnapshot } from '../../../experience/visit-machine.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { usePalette } from '../../palette.ts';
import { ActionButton } from '../../scenes/action.tsx';
import { Closing, Hearts } from '../../scenes/closing.tsx';
import { Destination } from '../../scenes/destination.tsx';
import { SKY_OF_STAGE, type SkyPhase } from '../../scenes/hours.ts';
import { Night } from '../../scenes/night.tsx';
import { Phrase } from '../../scenes/phrase.tsx';
import { Questions } from '../../scenes/questions.tsx';
import { StatusMessage } from '../../scenes/sentence.tsx';
import { hapticTick } from '../../ui/tick.ts';
import { useLetter } from '../letter.ts';
import { CardScreen } from './card-screen.tsx';
import { experienceSong, playSound } from './media.ts';
import { NoticeLine } from './notice-line.tsx';
import { clearNotice, noticeOnShow, subscribeToNotices } from './notices.ts';
import { usePrefetch } from './prefetch.ts';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';
import { StageFrame } from './staged.tsx';
import { TicketsProvider } from './tickets-shelf.tsx';
import { useReducedEffects } from './use-calm.ts';
import { useSelector } from './use-selector.ts';
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

/** Renders the chart's state. */
export function EveningScreen({ actor }: ScreenProps) {
  const { phase, held } = useLetter();
  usePalette(phase === 'sealed' ? 'night' : 'theme');
  useEffect(() => clearNotice, []);
  const screen = useSelector(actor, screenOf);
  // A film covers everything, including the letter.
  const waits = screen === 'video' && phase !== 'sealed';
  usePrefetch(actor, waits);
  const step = useSelector(actor, (snapshot) => currentStage(snapshot)?.step ?? -1);
  const arriving = useSelector(actor, isPictureArriving);
  const stage = arriving ? 'destination' : screen;
  const paused = useSelector(actor, isPaused);
  const { hour, viaggio } = useHour(actor);
  const hues = useHues(actor);
  const calm = useReducedEffects();
  // Rendering during the letter's movement would make it stutter.
  if (waits || (phase === 'opening' && !held)) return null;
  return (
    <Night hour={hour} viaggio={viaggio} hues={hues} still={screen === 'video' || paused} calm={calm}>
      <TicketsProvider actor={actor}>
        <StageFrame key={isStage(stage) ? step + Number(arriving) : stage} stage={stage}>
          {isStage(stage) ? (
            <StageScreen stage={stage} actor={actor} />
          ) : (
            <Between screen={stage} actor={actor} />
          )}
        </StageFrame>
        {/* The film covers everything and shows its own notices; the card has a place for them. */}
        {screen !== 'video' && screen !== 'card' && (
          <NoticeLine paused={paused} at={screen === 'disconnected' ? 'middle' : 'foot'} />
        )}
      </TicketsProvider>
    </Night>
  );
}

/** Returns the sky phase of the current stage, or of the previous one between two stages. */
function useHour(actor: ScreenProps['actor']): { hour: SkyPhase; viaggio: Viaggio } {
  const content = useSelector(actor, (snapshot) => currentStage(snapshot)?.content ?? null);
  const [shown, setShown] = useState(content);
  if (content !== null && content !== shown) setShown(content);
  return { hour: SKY_OF_STAGE[shown?.stage ?? 'pre_phrases'], viaggio: shown?.viaggio ?? 1 };
}

/** Returns the sky colours of the pictures received so far. */
function useHues(actor: ScreenProps['actor']): Record<Viaggio, Hues | null> {
  const of = (viaggio: Viaggio) => (snapshot: VisitSnapshot) => huesOf(snapshot, viaggio);
  return { 1: useSelector(actor, of(1), isAlike), 2: useSelector(actor, of(2), isAlike) };
}

const isAlike = (a: Hues | null, b: Hues | null) => a?.high === b?.high && a?.low === b?.low;

function StageScreen({ stage, actor }: ScreenProps & { stage: Stage }) {
  const Screen = screens[stage];
  return <Screen actor={actor} />;
}

type BetweenScreen = Exclude<ReturnType<typeof screenOf>, Stage>;

/** Shows the night between stages, and a sentence if the wait is long. */
function Between({ screen, actor }: ScreenProps & { screen: BetweenScreen }) {
  switch (screen) {
    case 'loading':
    case 'waiting':
      return <StatusMessage text={texts.loading} quiet />;
    case 'offline':
      return (
        <StatusMessage text={texts.offline}>
          <ActionButton onClick={() => actor.send({ type: 'RETRY' })}>{texts.retry}</ActionButton>
        </StatusMessage>
      );
    case 'disconnected':
    case 'over':
      return null;
  }
}

function isStage(screen: ReturnType<typeof screenOf>): screen is Stage {
  return screen in screens;
}

/** Closes a single trip with one phrase and the second trip with its sequence; without either, with the hearts alone. */
function ClosingScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'closing');
  const phrase = useSelector(actor, currentPhrase, samePhrase);
  const leaving = useSelector(actor, isEnding);
  if (content === null) return null;
  const words = content.viaggio === 1 ? content.frase : content.frasi[0];
  if (content.viaggio === 1 || words === undefined)
    return (
      <Closing
        text={phrase?.text ?? null}
        seconds={phrase?.seconds}
        paused={phrase?.paused}
        isTextOver={leaving && words != null}
      />
    );
  const shownPhrase = leaving || phrase === null || phrase.resting ? null : phrase;
  return (
    <>
      <Hearts textKey={shownPhrase && `${shownPhrase.run}`} />
      {shownPhrase && <Phrase key={shownPhrase.run} {...shownPhrase} centred />}
    </>
  );
}

/** Shows any of the five phrase sequences. In the pause after the last phrase the text is gone. */
function PhrasesScreen({ actor }: ScreenProps) {
  const phrase = useSelector(actor, currentPhrase, samePhrase);
  useEffect(hapticTick, [phrase?.run]);
  if (phrase === null || phrase.resting) return null;
  return <Phrase key={phrase.run} {...phrase} />;
}

/** Selectors return a new object each time; only these differences matter. */
function samePhrase(a: CurrentPhrase | null, b: CurrentPhrase | null): boolean {
  return a?.run === b?.run && a?.resting === b?.resting && a?.paused === b?.paused;
}

/** Shows the picture in the pause after the last phrase, and the titles in their own time. */
function DestinationScreen({ actor }: ScreenProps) {
  const content = useSelector(actor, pictureOnShow);
  const titled = useSelector(actor, (snapshot) => screenOf(snapshot) === 'destination');
  // The time is fixed when the picture appears.
  const [seconds] = useState(() => pictureSeconds(actor.getSnapshot()));
  const sounds = useSelector(actor, ({ context }) => context.visit?.sound_effects);
  useEffect(() => {
    experienceSong().dip();
    playSound('destination', sounds);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as the picture comes
  }, []);
  return content && <Destination {...content} titled={titled} seconds={seconds} />;
}

/** Asks both questions. The second answer's tap also prepares the song's fade, where volume has no effect and a tap is required. */
function QuestionsScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'questions');
  const chosen = useSelector(actor, (snapshot) => questionsOf(snapshot).chosen);
  const currentQuestion = useSelector(actor, (snapshot) => questionsOf(snapshot).asked);
  const sending = useSelector(actor, (snapshot) => questionsOf(snapshot).sending);
  const thanks = useSelector(actor, thanksOf, (a, b) => a?.bothYes === b?.bothYes);
  const name = useSelector(actor, ({ context }) => context.visit?.recipient_name);
  const notice = useSyncExternalStore(subscribeToNotices, noticeOnShow);
  const { risposta_1 = null, risposta_2 = null } = chosen;
  if (content === null) return null;
  const waiting = thanks === null && risposta_1 !== null && risposta_2 !== null;
  return (
    <Questions
      domanda_1={content.domanda_1}
      domanda_2={content.domanda_2}
      current={currentQuestion}
      risposta_1={risposta_1}
      risposta_2={risposta_2}
      recipient_name={name ?? null}
      thanks={thanks && (thanks.bothYes ? texts.answersSentBothYes : texts.answersSent)}
      onAnswer={(question, value) => {
        if ((question === 1 ? risposta_2 : risposta_1) !== null) experienceSong().prepareFade();
        // Sent inside the tap: after a press of Back the history entry may differ, where a browser without storage keeps the answer.
        actor.send({ type: 'ANSWER', question, value });
      }}
    >
      {waiting && notice === null && <p>{sending ? texts.sendingAnswers : texts.answersKept}</p>}
    </Questions>
  );
}
