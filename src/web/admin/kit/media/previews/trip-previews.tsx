import {
  type Configuration,
  imageSeconds,
  type Trip,
  tripOf,
  type Viaggio,
} from '../../../../../domain/content.ts';
import { tripMediaTexts as texts } from '../../../../../texts/admin/media.ts';
import { experienceTexts } from '../../../../../texts/experience.ts';
import { ActionButton } from '../../../../scenes/action.tsx';
import { BoardingPass } from '../../../../scenes/boarding-pass.tsx';
import { Destination } from '../../../../scenes/destination.tsx';
import { Sentence } from '../../../../scenes/sentence.tsx';
import { PhonePreview } from '../../phone-frame/phone-preview.tsx';

type Props = {
  /** The configuration as it is, with what is being typed. */
  config: Configuration;
  viaggio: Viaggio;
};

/** The destination's picture and its titles, as she sees them. */
export function DestinationPreview({ config, viaggio }: Props) {
  const { immagine_destinazione_url: url, titolo_destinazione, titolo_viaggio } = trip(config, viaggio);
  return (
    <PhonePreview label={texts.destinationPreview}>
      {url === null ? (
        <Sentence text={texts.noImage} quiet />
      ) : (
        <Destination
          key={url}
          immagine_destinazione_url={url}
          titolo_destinazione={titolo_destinazione}
          titolo_viaggio={titolo_viaggio}
          seconds={imageSeconds(config.durata_immagine_destinazione_secondi)}
        />
      )}
    </PhonePreview>
  );
}

/** The boarding pass with the dates and the way to the tickets, as she sees it. */
export function CardPreview({ config, viaggio }: Props) {
  const shown = trip(config, viaggio);
  return (
    <PhonePreview label={texts.cardPreview}>
      <BoardingPass
        titolo_destinazione={shown.titolo_destinazione}
        titolo_viaggio={shown.titolo_viaggio}
        data_partenza={shown.data_partenza}
        data_ritorno={shown.data_ritorno}
        testo_istruzioni_biglietti={shown.testo_istruzioni_biglietti}
      >
        {shown.biglietti_url === null ? (
          <ActionButton>{experienceTexts.continue}</ActionButton>
        ) : (
          <>
            <ActionButton>{experienceTexts.download}</ActionButton>
            <ActionButton quiet>{experienceTexts.view}</ActionButton>
          </>
        )}
      </BoardingPass>
    </PhonePreview>
  );
}

const NO_QUESTIONS = {
  domanda_1: null,
  domanda_2: null,
  domanda_1_viaggio_2: null,
  domanda_2_viaggio_2: null,
};

function trip(config: Configuration, viaggio: Viaggio): Trip {
  return tripOf({ config, questions: NO_QUESTIONS, poster_url: null }, viaggio);
}
