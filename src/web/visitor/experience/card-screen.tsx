import { type MouseEvent, useContext, useSyncExternalStore } from 'react';
import type { StageContent } from '../../../domain/stage-content.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { ActionButton, ActionLink } from '../../scenes/action.tsx';
import { BoardingPass } from '../../scenes/boarding-pass.tsx';
import type { Tickets } from '../media/tickets.ts';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';
import { TicketsAddress } from './tickets-address.ts';
import { useShelf } from './tickets-shelf.tsx';

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
  const { of, look } = useShelf();
  const tickets = of({ ...content, biglietti_url });
  const download = async (event: MouseEvent) => {
    const outcome = tickets.downloadTapped(event);
    actor.send({ type: 'DOWNLOAD' });
    actor.send({ type: (await outcome) ? 'DOWNLOAD_STARTED' : 'DOWNLOAD_FAILED' });
  };
  return (
    <>
      <ActionLink
        href={address}
        download="biglietti.pdf"
        target="_blank"
        rel="noopener"
        onClick={(event) => void download(event)}
      >
        {texts.download}
      </ActionLink>
      <ActionButton quiet onClick={look}>
        {texts.view}
      </ActionButton>
      <ShareButton tickets={tickets} />
    </>
  );
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
