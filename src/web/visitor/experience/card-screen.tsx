import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { StageContent } from '../../../domain/stage-content.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { ActionButton, ActionLink } from '../../scenes/action.tsx';
import { BoardingPass } from '../../scenes/boarding-pass.tsx';
import { prepareTicketPages } from '../media/ticket-pages.ts';
import { openTickets, type Tickets, ticketKind } from '../media/tickets.ts';
import { say } from './notices.ts';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';
import { TicketsAddress } from './tickets-address.ts';
import { TicketsView } from './tickets-view.tsx';

/** The trip card. Without tickets it has «Continua» in place of the download (decision 14 of the product's rules). */
export function CardScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'card');
  if (content === null) return null;
  return (
    <BoardingPass {...content}>
      {content.biglietti_url === null ? (
        <ActionButton onClick={() => actor.send({ type: 'CONTINUE' })}>{texts.continue}</ActionButton>
      ) : (
        <TicketActions content={content} biglietti_url={content.biglietti_url} actor={actor} />
      )}
    </BoardingPass>
  );
}

type CardContent = Extract<StageContent, { stage: 'card' }>;

function TicketActions({
  content,
  biglietti_url,
  actor,
}: ScreenProps & { content: CardContent; biglietti_url: string }) {
  const address = useContext(TicketsAddress)(content.viaggio);
  const tickets = useTickets(address, biglietti_url);
  const [looking, setLooking] = useState(false);
  const view = () => {
    actor.send({ type: 'VIEW' });
    setLooking(true);
  };
  return (
    <>
      <ActionLink
        href={address}
        download="biglietti.pdf"
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          tickets?.downloadTapped(event);
          actor.send({ type: 'DOWNLOAD' });
        }}
      >
        {texts.download}
      </ActionLink>
      <ActionButton quiet onClick={view}>
        {texts.view}
      </ActionButton>
      {tickets !== undefined && <ShareButton tickets={tickets} />}
      {looking && tickets !== undefined && (
        <TicketsView tickets={tickets} biglietti_url={biglietti_url} onClose={() => setLooking(false)} />
      )}
    </>
  );
}

/** The tickets are fetched when the card appears, so that sharing and looking need no network. */
function useTickets(address: string, biglietti_url: string): Tickets | undefined {
  const [tickets, setTickets] = useState<Tickets>();
  useEffect(() => {
    const opened = openTickets(address);
    const stop = opened.subscribe(() => {
      const { status } = opened.state();
      if (status === 'failed') say('error', texts.downloadFailed);
      if (status === 'ready' && ticketKind(biglietti_url) === 'pdf') prepareTicketPages();
    });
    setTickets(opened);
    return () => {
      stop();
      opened.close();
    };
  }, [address, biglietti_url]);
  return tickets;
}

function ShareButton({ tickets }: { tickets: Tickets }) {
  const { canShare } = useSyncExternalStore(tickets.subscribe, tickets.state);
  if (!canShare) return null;
  return (
    <ActionButton quiet onClick={tickets.share}>
      {texts.share}
    </ActionButton>
  );
}
