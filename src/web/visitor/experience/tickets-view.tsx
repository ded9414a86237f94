import { Fragment, useEffect, useRef, useState } from 'react';
import type { TicketsAtHand } from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { TicketViewer } from '../../scenes/tickets.tsx';
import { renderTicketPages, ticketKind } from '../media/ticket-pages.ts';
import type { Tickets } from '../media/tickets.ts';

type Readable = Pick<Tickets, 'bytes'>;

export type TicketsViewProps = {
  trips: readonly (TicketsAtHand & { tickets: Readable })[];
  onClose: () => void;
};

/** The tickets in the page: a picture as it is, a PDF page by page; of two trips one after the other, each under its name. */
export function TicketsView({ trips, onClose }: TicketsViewProps) {
  return (
    <TicketViewer onClose={onClose}>
      {trips.map(({ viaggio, titolo_destinazione, biglietti_url, tickets }) => (
        <Fragment key={viaggio}>
          {trips.length > 1 && <h2>{titolo_destinazione}</h2>}
          {ticketKind(biglietti_url) === 'picture' ? (
            <img src={biglietti_url} alt={texts.tickets} />
          ) : (
            <PdfPages tickets={tickets} />
          )}
        </Fragment>
      ))}
    </TicketViewer>
  );
}

function PdfPages({ tickets }: { tickets: Readable }) {
  const pages = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState<'opening' | 'shown' | 'failed'>('opening');
  useEffect(() => {
    const stop = new AbortController();
    const draw = async () => {
      const pdf = await tickets.bytes();
      await renderTicketPages(
        pdf,
        pages.current?.clientWidth ?? innerWidth,
        (canvas, page) => {
          setStatus('shown');
          show(canvas, page, pages.current);
        },
        stop.signal,
      );
    };
    draw().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      console.warn(error);
      setStatus('failed');
    });
    return () => stop.abort();
  }, [tickets]);
  return (
    <>
      {status !== 'shown' && (
        <p role="status" data-opening={status === 'opening'}>
          {status === 'opening' ? texts.openingTickets : texts.downloadFailed}
        </p>
      )}
      <div ref={pages} style={{ width: '100%', display: 'grid', gap: '1rem', justifyItems: 'center' }} />
    </>
  );
}

function show(canvas: HTMLCanvasElement, page: number, into: HTMLElement | null): void {
  canvas.role = 'img';
  canvas.ariaLabel = texts.ticketPage(page);
  into?.append(canvas);
}
