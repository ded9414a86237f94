import { useSelector } from '@xstate/react';
import { currentPhrase } from '../../../experience/selectors.ts';
import { Closing } from '../../scenes/closing.tsx';
import { FallingHearts } from '../../scenes/falling-hearts.tsx';
import { Phrase } from '../../scenes/phrase.tsx';
import { samePhrase } from './phrases-screen.tsx';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';

/** A single trip closes on one phrase, the second trip on its sequence, an evening without either on the hearts alone. */
export function ClosingScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'closing');
  const phrase = useSelector(actor, currentPhrase, samePhrase);
  const leaving = useSelector(actor, (snapshot) => snapshot.matches({ evening: 'completing' }));
  if (content === null || leaving) return null;
  if (content.viaggio === 1 || content.frasi.length === 0) return <Closing text={phrase?.text ?? null} />;
  return (
    <>
      <FallingHearts />
      {phrase !== null && !phrase.resting && <Phrase key={phrase.run} {...phrase} />}
    </>
  );
}
