import { type ReactNode, useEffect, useState } from 'react';
import { currentPhrase } from '../../../experience/selectors.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { IconPlayerTrackNext, IconRotate, IconX } from '../../ui/icons/icons.tsx';
import { useSelector } from '../experience/use-selector.ts';
import { mediaHost, unlockMedia } from '../media-host.ts';
import styles from './bar.module.css';

type Props = {
  actor: VisitActor;
  fast: boolean;
  onPace: (fast: boolean) => void;
  onAgain: () => void;
  onLeave: () => void;
};

/** Controls that the evening itself does not have: speed, skip, restart and leave. */
export function Bar({ actor, fast, onPace, onAgain, onLeave }: Props) {
  const canSkip = useSelector(actor, (snapshot) => snapshot.can({ type: 'SKIP' }));
  const canTurn = useSelector(actor, (snapshot) => currentPhrase(snapshot) !== null);
  const isAtQuestions = useSelector(actor, (snapshot) => snapshot.matches({ evening: 'questions' }));
  const [hinted, hint] = useHint();
  const press = (type: 'SKIP' | 'NEXT_PHRASE') => () => {
    primeAudio();
    actor.send({ type });
  };
  return (
    <nav className={styles.bar} aria-label={texts.name}>
      <span className={styles.name}>
        <span>{texts.name}</span>
      </span>
      <Key label={texts.nextPhrase} able={canTurn} onPress={press('NEXT_PHRASE')}>
        <IconPlayerTrackNext size={18} aria-hidden="true" />
      </Key>
      <Key
        label={texts.skip}
        able={canSkip}
        hint={isAtQuestions ? texts.cannotSkip : undefined}
        onPress={press('SKIP')}
        onRefused={hint}
      />
      <select
        className={styles.pace}
        aria-label={texts.pace}
        value={fast ? 'fast' : 'real'}
        onChange={({ target }) => onPace(target.value === 'fast')}
      >
        <option value="real">{texts.realTimes}</option>
        <option value="fast">{texts.fast}</option>
      </select>
      <Key label={texts.again} able onPress={onAgain}>
        <IconRotate size={18} aria-hidden="true" />
      </Key>
      <Key label={texts.leave} able onPress={onLeave}>
        <IconX size={18} aria-hidden="true" />
      </Key>
      <p role="status" className={isAtQuestions && hinted ? styles.hint : styles.silent}>
        {isAtQuestions && hinted && texts.cannotSkip}
      </p>
    </nav>
  );
}

type KeyProps = {
  label: string;
  able: boolean;
  hint?: string | undefined;
  onPress: () => void;
  /** Called when the key is pressed while disabled. */
  onRefused?: () => void;
  /** Icon, for bars too narrow for the label. */
  children?: ReactNode;
};

/** A disabled key keeps its place and the keyboard focus. */
function Key({ label, able, hint, onPress, onRefused, children }: KeyProps) {
  return (
    <button
      type="button"
      className={styles.key}
      aria-disabled={!able}
      title={hint ?? label}
      onClick={able ? onPress : onRefused}
    >
      {children}
      <span className={children === undefined ? undefined : styles.word}>{label}</span>
    </button>
  );
}

/** Shows for a while why a key does nothing, because touch has no tooltip. */
function useHint(): [hinted: boolean, hint: () => void] {
  const [hinted, setHinted] = useState(false);
  useEffect(() => {
    if (!hinted) return;
    const timer = setTimeout(() => setHinted(false), HINT_MS);
    return () => clearTimeout(timer);
  }, [hinted]);
  return [hinted, () => setHinted(true)];
}

const HINT_MS = 5_000;

/** Unlocks the song: the tap that skips the film may be the only one before it. The film is unlocked at its start. */
export function primeAudio(): void {
  unlockMedia(mediaHost().video);
}
