import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { phoneTexts } from '../../../../texts/admin/phone.ts';
import { queries } from '../../api.ts';
import styles from './phone-preview.module.css';
import { type Scroller, useScroller } from './use-scroller.ts';

/** The phone in CSS pixels: what `vw`, `vh` and the media queries of a scene see. */
const PHONE = { width: 390, height: 844 } as const;

type PhoneScreenProps = {
  title: string;
  /** Told whether there is more than the screen shows; where nobody asks it can't be scrolled. */
  onScrolls?: (scrolls: boolean) => void;
  children: ReactNode;
};

/**
 * A window of a phone's size, drawn as large as there is room: scenes inside are laid out as on her phone. It is to be looked at only:
 * neither the keyboard nor a screen reader goes into it.
 */
export function PhoneScreen({ title, onScrolls, children }: PhoneScreenProps) {
  const { ref, width } = useElementSize();
  const [page] = useState(phonePage);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const scroller = useScroller(onScrolls === undefined ? null : body);
  const scrolls = scroller !== null;
  useEffect(() => onScrolls?.(scrolls), [onScrolls, scrolls]);
  const dress = useQuery(queries.config.read.queryOptions()).data?.dress;
  useEffect(() => {
    if (dress !== undefined) body?.closest('html')?.setAttribute('data-dress', dress);
  }, [body, dress]);
  const scale = width / PHONE.width;
  return (
    <div ref={ref} className={styles.screen} style={{ aspectRatio: `${PHONE.width} / ${PHONE.height}` }}>
      {/* Nothing but our own scenes ever gets in, and the page's content security policy holds in there, too. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        title={title}
        className={styles.frame}
        srcDoc={page}
        inert
        data-ready={body !== null}
        style={{ ...PHONE, transform: `scale(${scale})` }}
        // Its load waits for the styles linked in it: nothing is ever seen undressed.
        onLoad={({ currentTarget: { contentDocument } }) => {
          keepFocusOut(contentDocument);
          setBody(contentDocument?.body ?? null);
        }}
      />
      {body !== null && createPortal(children, body)}
      {scroller !== null && (
        <ScrollWindow key={scroller.run} title={title} scroller={scroller} scale={scale} />
      )}
    </div>
  );
}

/** A scene may ask for the focus, which `inert` doesn't prevent: the keyboard stays with the page around the phone. */
function keepFocusOut(inside: Document | null): void {
  if (inside?.defaultView) inside.defaultView.HTMLElement.prototype.focus = () => {};
}

/** An empty night page with the styles of this one; in development they are style tags of Vite's. */
function phonePage(): string {
  const found = document.querySelectorAll('link[rel="stylesheet"], style[data-vite-dev-id]');
  const sheets = Array.from(found, (sheet) => sheet.outerHTML).join('');
  return `<!doctype html><html lang="it" data-palette="night"><head><meta charset="utf-8">${sheets}</head><body></body></html>`;
}

type ScrollWindowProps = {
  title: string;
  scroller: Scroller;
  /** The phone's pixels are drawn at this size. */
  scale: number;
};

/**
 * A pane of glass over a screen that is longer than the phone: wheel, finger and keyboard move it, and the screen below moves along. What
 * lies below stays out of reach.
 */
function ScrollWindow({ title, scroller: { element, range }, scale }: ScrollWindowProps) {
  return (
    <div
      className={styles.window}
      role="group"
      aria-label={phoneTexts.scrollable(title)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget }) => element.scrollTo(0, currentTarget.scrollTop / scale)}
    >
      <div style={{ height: `calc(100% + ${range * scale}px)` }} />
    </div>
  );
}
