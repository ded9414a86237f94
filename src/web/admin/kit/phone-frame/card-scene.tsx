import { type Configuration, tripOf, type Viaggio } from '../../../../domain/content.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { ActionButton } from '../../../scenes/action.tsx';
import { BoardingPass } from '../../../scenes/boarding-pass.tsx';

const NO_QUESTIONS = {
  domanda_1: null,
  domanda_2: null,
  domanda_1_viaggio_2: null,
  domanda_2_viaggio_2: null,
};

/** One trip of a configuration as she gets it, defaults in place. */
export function previewTrip(config: Configuration, viaggio: Viaggio) {
  return tripOf({ config, questions: NO_QUESTIONS, poster_url: null }, viaggio);
}

/** The trip card, with the buttons it has when there are tickets. */
export function CardScene({ config, viaggio }: { config: Configuration; viaggio: Viaggio }) {
  return (
    <BoardingPass {...previewTrip(config, viaggio)}>
      <ActionButton>{experienceTexts.download}</ActionButton>
      <ActionButton quiet>{experienceTexts.view}</ActionButton>
    </BoardingPass>
  );
}
