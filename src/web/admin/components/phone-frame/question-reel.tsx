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
  const { name, said } = useRecipientName();
  const [asked, setAsked] = useState<1 | 2>(1);
  const [plays, setPlays] = useState(!still);
  const [seen, setSeen] = useState({ domanda_1, domanda_2 });
  if (seen.domanda_1 !== domanda_1 || seen.domanda_2 !== domanda_2) {
    setAsked(seen.domanda_1 === domanda_1 ? 2 : 1);
    setPlays(false);
    setSeen({ domanda_1, domanda_2 });
  }
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => setAsked(2), FIRST_MS);
    return () => clearTimeout(timer);
  }, [plays]);
  return (
    <Questions
      domanda_1={said(domanda_1)}
      domanda_2={said(domanda_2)}
      asked={asked}
      risposta_1={asked === 2 ? true : null}
      risposta_2={null}
      recipient_name={name}
      onAnswer={() => {}}
    />
  );
}
