import { type ReactNode, useEffect, useRef, useState } from 'react';
import { experienceTexts as texts } from '../../texts/experience.ts';
import { ActionButton } from './action.tsx';
import styles from './tickets.module.css';

/** Duration of the closing animation, in ms. */
const CLOSE_MS = 320;

/** Shows the tickets (children) in a dialog over the page; Escape and «Chiudi» close it. */
export function TicketViewer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [closing, setClosing] = useState(false);
  const close = () => {
    setClosing(true);
    setTimeout(() => dialog.current?.close(), isCalm() ? 0 : CLOSE_MS);
  };
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.viewer}
      data-closing={closing}
      aria-label={texts.tickets}
      onClose={onClose}
    >
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.pages} tabIndex={0} role="region" aria-label={texts.tickets}>
        {children}
      </div>
      <div className={styles.bar}>
        <ActionButton onClick={close}>{texts.closeTickets}</ActionButton>
      </div>
    </dialog>
  );
}

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
