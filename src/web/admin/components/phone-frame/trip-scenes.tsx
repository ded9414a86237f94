import { type Configuration, NO_QUESTIONS } from '../../../../domain/configuration.ts';
import { imageSeconds, NO_FILE_FACTS, type Trip, tripOf, type Viaggio } from '../../../../domain/content.ts';
import type { Fuoco } from '../../../../domain/pictures.ts';
import { recipientName, withRecipientName } from '../../../../domain/recipient-name.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { ActionButton } from '../../../scenes/action.tsx';
import { BoardingPass } from '../../../scenes/boarding-pass.tsx';
import { Destination } from '../../../scenes/destination.tsx';
import { StatusMessage } from '../../../scenes/sentence.tsx';

type Props = {
  /** The stored configuration with the typed values. */
  config: Configuration;
  viaggio: Viaggio;
};

type PictureProps = Props & {
  /** Focus point; null for the middle. */
  fuoco: Fuoco | null;
};

/** The destination's picture with its titles, or the text `missing` if there is no picture. */
export function DestinationScene({ config, viaggio, fuoco, missing }: PictureProps & { missing: string }) {
  const {
    immagine_destinazione_url: url,
    titolo_destinazione,
    titolo_viaggio,
  } = previewTrip(config, viaggio);
  if (url === null) return <StatusMessage text={missing} quiet />;
  return (
    <Destination
      key={url}
      immagine_destinazione_url={url}
      fuoco={fuoco}
      titolo_destinazione={titolo_destinazione}
      titolo_viaggio={titolo_viaggio}
      seconds={imageSeconds(config.durata_immagine_destinazione_secondi)}
    />
  );
}

/** The trip card with its buttons, which depend on whether there are tickets. */
export function CardScene({ config, viaggio, fuoco }: PictureProps) {
  const trip = previewTrip(config, viaggio);
  return (
    <BoardingPass
      immagine_destinazione_url={trip.immagine_destinazione_url}
      fuoco={fuoco}
      passenger={recipientName(config)}
      titolo_destinazione={trip.titolo_destinazione}
      titolo_viaggio={trip.titolo_viaggio}
      data_partenza={trip.data_partenza}
      data_ritorno={trip.data_ritorno}
      testo_istruzioni_biglietti={trip.testo_istruzioni_biglietti}
    >
      {trip.biglietti_url === null ? (
        <ActionButton>{experienceTexts.continue}</ActionButton>
      ) : (
        <>
          <ActionButton>{experienceTexts.download}</ActionButton>
          <ActionButton quiet>{experienceTexts.view}</ActionButton>
        </>
      )}
    </BoardingPass>
  );
}

/** Returns one trip of a configuration as the visitor gets it, with defaults and the recipient's name. */
function previewTrip(config: Configuration, viaggio: Viaggio): Trip {
  return tripOf(withRecipientName({ config, questions: NO_QUESTIONS, ...NO_FILE_FACTS }), viaggio);
}
