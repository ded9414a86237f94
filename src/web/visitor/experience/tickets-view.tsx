import { useEffect, useRef, useState } from 'react';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { TicketViewer } from '../../scenes/tickets.tsx';
import { renderTicketPages } from '../media/ticket-pages.ts';
import { type Tickets, ticketKind } from '../media/tickets.ts';

type Props = { tickets: Tickets; biglietti_url: string; onClose: () => void };

/** The tickets in the page: a picture as it is, a PDF page by page. */
export function TicketsView({ tickets, biglietti_url, onClose }: Props) {
  return (
    <TicketViewer onClose={onClose}>
      {ticketKind(biglietti_url) === 'picture' ? (
        <img src={biglietti_url} alt={texts.tickets} />
      ) : (
        <PdfPages tickets={tickets} />
      )}
    </TicketViewer>
  );
}

function PdfPages({ tickets }: { tickets: Tickets }) {
  const pages = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState<'opening' | 'shown' | 'failed'>('opening');
  useEffect(() => {
    const stop = new AbortController();
    const draw = async () => {
      const pdf = await tickets.bytes();
      await renderTicketPages(
        pdf,
        pages.current?.clientWidth ?? innerWidth,
        (canvas, page) => show(canvas, page, pages.current),
        stop.signal,
      );
      setStatus('shown');
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
        <p role="status">{status === 'opening' ? texts.openingTickets : texts.downloadFailed}</p>
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
