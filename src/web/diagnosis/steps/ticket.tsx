import { useEffect, useState } from 'react';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { buttonClass } from '../../ui/button.tsx';
import { openTickets } from '../../visitor/media/tickets.ts';
import { TICKET_URL } from '../files.ts';
import { Answers, Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Opens a document as the evening opens its tickets, and asks whether the user could come back. */
export function TicketStep({ index, onResult, onSkip }: StepProps) {
  const [tapped, setTapped] = useState(false);
  const [tickets] = useState(() => openTickets(TICKET_URL));
  useEffect(() => {
    tickets.fetchAhead();
    return tickets.close;
  }, [tickets]);
  return (
    <Question {...stepTexts.ticket} step={index} onSkip={onSkip}>
      <a
        className={buttonClass({ wide: true, look: tapped ? 'quiet' : 'gold' })}
        href={TICKET_URL}
        download="biglietto-di-prova.pdf"
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          void tickets.downloadTapped(event);
          setTapped(true);
        }}
      >
        {texts.ticket}
      </a>
      {tapped && <Answers onAnswer={(ticket) => onResult({ ticket })} />}
    </Question>
  );
}
