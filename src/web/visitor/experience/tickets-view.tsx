import { Fragment, useState } from 'react';
import type { AvailableTickets } from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { ActionButton, ActionLink } from '../../scenes/action.tsx';
import { TicketViewer } from '../../scenes/tickets.tsx';

type Props = {
  /** `address`: URL of the PDF. */
  trips: readonly (AvailableTickets & { address: string })[];
  onClose: () => void;
};

/** Shows the tickets as the pictures that the server rendered; those of two trips in order, with titles. */
export function TicketsView({ trips, onClose }: Props) {
  return (
    <TicketViewer onClose={onClose}>
      {trips.map(({ viaggio, titolo_destinazione, ticket_pages, address }) => (
        <Fragment key={viaggio}>
          {trips.length > 1 && <h2 dir="auto">{titolo_destinazione}</h2>}
          {ticket_pages === null || ticket_pages.length === 0 ? (
            <Undrawn address={address} />
          ) : (
            ticket_pages.map((url, index) => <Page key={url} url={url} number={index + 1} />)
          )}
        </Fragment>
      ))}
    </TicketViewer>
  );
}

function Undrawn({ address }: { address: string }) {
  return (
    <>
      <p>{texts.ticketsUndrawn}</p>
      <ActionLink href={address} download="biglietti.pdf" target="_blank" rel="noopener">
        {texts.download}
      </ActionLink>
    </>
  );
}

/** A page that fails to load can be requested again. */
function Page({ url, number }: { url: string; number: number }) {
  const [state, setState] = useState<'opening' | 'failed' | null>('opening');
  const isFailed = state === 'failed';
  return (
    <>
      {(isFailed || (state && number === 1)) && (
        <p role="status" data-opening={!isFailed}>
          {isFailed ? texts.downloadFailed : texts.openingTickets}
        </p>
      )}
      {isFailed ? (
        <ActionButton quiet onClick={() => setState('opening')}>
          {texts.retry}
        </ActionButton>
      ) : (
        <img
          src={url}
          alt={texts.ticketPage(number)}
          onLoad={() => setState(null)}
          onError={() => setState('failed')}
        />
      )}
    </>
  );
}
