import type { StageContent } from '../../../../domain/stage-content.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { ActionButton } from '../../../scenes/action.tsx';
import { BoardingPass } from '../../../scenes/boarding-pass.tsx';
import { Closing } from '../../../scenes/closing.tsx';
import { Destination } from '../../../scenes/destination.tsx';
import { FallingHearts } from '../../../scenes/falling-hearts.tsx';
import { Phrase } from '../../../scenes/phrase.tsx';
import { Questions } from '../../../scenes/questions.tsx';
import { VideoStart } from '../../../scenes/video-start.tsx';
import { PhraseReel } from '../../components/phone-frame/phrase-reel.tsx';

type Props = {
  content: StageContent;
  /** A picture of the stage, for the strip: its first phrase, which stays. Otherwise it plays as she sees it. */
  still?: boolean;
};

/** A stage of the evening, drawn by the scene the visitor sees. Nothing in it leads anywhere. */
export function StageScene({ content, still = false }: Props) {
  switch (content.stage) {
    case 'pre_phrases':
    case 'between_phrases':
    case 'phrases':
      return <Phrases {...content} still={still} />;
    case 'video':
      return (
        <VideoStart video_button_text={content.video_button_text} poster_url={content.poster_url} ready />
      );
    case 'destination':
      return <Destination {...content} seconds={content.durata_immagine_destinazione_secondi} />;
    case 'card':
      return (
        <BoardingPass {...content}>
          <CardActions tickets={content.biglietti_url !== null} />
        </BoardingPass>
      );
    case 'questions':
      return <Questions {...content} risposta_1={null} risposta_2={null} onAnswer={() => {}} />;
    case 'closing':
      return <ClosingScene content={content} still={still} />;
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

type ClosingContent = Extract<StageContent, { stage: 'closing' }>;

function ClosingScene({ content, still }: { content: ClosingContent; still: boolean }) {
  if (content.viaggio === 1) return <Closing text={content.frase} />;
  if (content.frasi.length === 0) return <Closing text={null} />;
  return (
    <>
      {!still && <FallingHearts />}
      <Phrases {...content} still={still} />
    </>
  );
}

/** A phrase with a whole day to its name never leaves the picture. */
const STILL_SECONDS = 86_400;

type PhrasesProps = {
  frasi: string[];
  durata_frase_secondi: number;
  secondi_esatti: boolean;
  still: boolean;
};

function Phrases({ frasi, durata_frase_secondi, secondi_esatti, still }: PhrasesProps) {
  if (!still) return <PhraseReel phrases={frasi} seconds={durata_frase_secondi} exact={secondi_esatti} />;
  return <Phrase text={frasi[0] ?? ''} seconds={STILL_SECONDS} index={0} total={frasi.length} />;
}
