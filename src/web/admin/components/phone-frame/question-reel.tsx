import { useEffect, useState } from 'react';
import { Questions } from '../../../scenes/questions.tsx';
import { useRecipientName } from '../use-her-name.ts';

type Props = {
  domanda_1: string;
  domanda_2: string;
  /** A still picture: the first question stays. */
  still?: boolean;
};

/** Time the first question stays, in ms. */
const FIRST_MS = 4_000;

/** Both questions of a trip as the visitor sees them, in turn. An edited question is shown and stays. */
export function QuestionReel({ domanda_1, domanda_2, still = false }: Props) {
  const { name, personalize } = useRecipientName();
  const [current, setCurrent] = useState<1 | 2>(1);
  const [plays, setPlays] = useState(!still);
  const [seen, setSeen] = useState({ domanda_1, domanda_2 });
  if (seen.domanda_1 !== domanda_1 || seen.domanda_2 !== domanda_2) {
    setCurrent(seen.domanda_1 === domanda_1 ? 2 : 1);
    setPlays(false);
    setSeen({ domanda_1, domanda_2 });
  }
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => setCurrent(2), FIRST_MS);
    return () => clearTimeout(timer);
  }, [plays]);
  return (
    <Questions
      domanda_1={personalize(domanda_1)}
      domanda_2={personalize(domanda_2)}
      current={current}
      risposta_1={current === 2 ? true : null}
      risposta_2={null}
      recipient_name={name}
      onAnswer={() => {}}
    />
  );
}
