import type { StageContent } from '../../../../domain/stage-content.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { ActionButton } from '../../../scenes/action.tsx';
import { BoardingPass } from '../../../scenes/boarding-pass.tsx';
import { Closing } from '../../../scenes/closing.tsx';
import { Destination } from '../../../scenes/destination.tsx';
import { FallingHearts } from '../../../scenes/falling-hearts.tsx';
import { Phrase } from '../../../scenes/phrase.tsx';
import { VideoStart } from '../../../scenes/video-start.tsx';
import { PhraseReel, QuestionReel } from '../phone-frame/phrase-reel.tsx';

type Props = {
  content: StageContent;
  /** Name on the boarding pass. */
  passenger: string | null;
  /** Shows the first phrase as a still picture. By default the stage plays as the visitor sees it. */
  still?: boolean;
  /** Index of the phrase shown; 0 by default. */
  at?: number;
};

/** Draws a stage of the evening with the visitor's scene. Its links and buttons do nothing. */
export function StageScene({ content, passenger, still = false, at = 0 }: Props) {
  switch (content.stage) {
    case 'pre_phrases':
    case 'between_phrases':
    case 'phrases':
      return <Phrases {...content} still={still} at={at} />;
    case 'video':
      return (
        <VideoStart video_button_text={content.video_button_text} poster_url={content.poster_url} ready />
      );
    case 'destination':
      return <Destination {...content} seconds={content.durata_immagine_destinazione_secondi} />;
    case 'card':
      return (
        <BoardingPass {...content} passenger={passenger}>
          <CardActions tickets={content.biglietti_url !== null} />
        </BoardingPass>
      );
    case 'questions':
      return <QuestionReel {...content} still={still} />;
    case 'closing':
      return <ClosingScene content={content} still={still} at={at} />;
  }
}

function CardActions({ tickets }: { tickets: boolean }) {
  if (!tickets) return <ActionButton>{experienceTexts.continue}</ActionButton>;
  return (
    <>
      <ActionButton>{experienceTexts.download}</ActionButton>
      <ActionButton quiet>{experienceTexts.view}</ActionButton>
    </>
  );
}

type ClosingProps = { content: Extract<StageContent, { stage: 'closing' }>; still: boolean; at: number };

function ClosingScene({ content, still, at }: ClosingProps) {
  if (content.viaggio === 1) return <Closing text={content.frase} />;
  if (content.frasi.length === 0) return <Closing text={null} />;
  return (
    <>
      {!still && <FallingHearts />}
      <Phrases {...content} still={still} at={at} />
    </>
  );
}

/** With a duration of one day, a phrase does not leave the picture. */
const STILL_SECONDS = 86_400;

type PhrasesProps = {
  frasi: string[];
  durata_frase_secondi: number;
  secondi_esatti: boolean;
  still: boolean;
  at: number;
};

function Phrases({ frasi, durata_frase_secondi, secondi_esatti, still, at }: PhrasesProps) {
  if (!still) return <PhraseReel phrases={frasi} seconds={durata_frase_secondi} exact={secondi_esatti} />;
  const index = Math.min(at, frasi.length - 1);
  return (
    <Phrase
      key={index}
      text={frasi[index] ?? ''}
      seconds={STILL_SECONDS}
      index={index}
      total={frasi.length}
    />
  );
}
