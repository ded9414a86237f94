import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { phoneTexts } from '../../../../texts/admin/preview.ts';
import { queries } from '../../api.ts';
import styles from './phone-preview.module.css';

/** The phone's size in CSS pixels, as `vw`, `vh` and media queries of a scene see it. */
const PHONE = { width: 390, height: 844 } as const;

type PhoneScreenProps = {
  title: string;
  /** Called with true if the content is longer than the screen. Without this callback it can't be scrolled. */
  onScrolls?: (scrolls: boolean) => void;
  children: ReactNode;
};

/**
 * An iframe of a phone's size, scaled to the available width: scenes inside have the layout of the visitor's phone. Display only:
 * closed to the keyboard and to screen readers.
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
      {/* Contains only this product's scenes; the page's content security policy applies inside as well. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        title={title}
        className={styles.frame}
        srcDoc={page}
        inert
        data-ready={body !== null}
        style={{ ...PHONE, transform: `scale(${scale})` }}
        // `load` waits for the linked styles, so unstyled content is never visible.
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

/** Disables `focus()` in the frame, because `inert` doesn't prevent scenes from taking the focus. */
function keepFocusOut(inside: Document | null): void {
  if (inside?.defaultView) inside.defaultView.HTMLElement.prototype.focus = () => {};
}

/** Returns an empty night page with this page's styles (style tags of Vite in development). */
function phonePage(): string {
  const styleElements = document.querySelectorAll('link[rel="stylesheet"], style[data-vite-dev-id]');
  const sheets = Array.from(styleElements, (sheet) => sheet.outerHTML).join('');
  return `<!doctype html><html lang="it" data-palette="night"><head><meta charset="utf-8">${sheets}</head><body></body></html>`;
}

type ScrollWindowProps = {
  title: string;
  scroller: Scroller;
  /** Drawn size of one phone pixel. */
  scale: number;
};

/**
 * A transparent layer over a screen longer than the phone. Wheel, touch and keyboard scroll it, and the screen below follows. The
 * content below stays unreachable.
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

/** The scrollable element, its scroll range in phone pixels, and a number that changes with the element. */
type Scroller = { element: HTMLElement; range: number; run: number };

/** Overflow up to this, in pixels, is rounding of a zoomed page. */
const ROUNDING = 2;

/** Returns the scrollable part of the phone's screen, or null if all of it is visible. */
function useScroller(body: HTMLElement | null): Scroller | null {
  const [scroller, setScroller] = useState<Scroller | null>(null);
  useEffect(() => {
    if (body === null) return;
    const update = () => setScroller((before) => next(before, findScroller(body)));
    const changes = new MutationObserver(update);
    changes.observe(body, { childList: true, characterData: true, subtree: true });
    // A loaded font changes the line breaks.
    const { fonts } = body.ownerDocument;
    fonts.addEventListener('loadingdone', update);
    update();
    return () => {
      changes.disconnect();
      fonts.removeEventListener('loadingdone', update);
    };
  }, [body]);
  return scroller;
}

function next(before: Scroller | null, element: HTMLElement | undefined): Scroller | null {
  if (element === undefined) return null;
  const range = element.scrollHeight - element.clientHeight;
  if (before?.element !== element) return { element, range, run: (before?.run ?? 0) + 1 };
  return before.range === range ? before : { ...before, range };
}

function findScroller(body: HTMLElement): HTMLElement | undefined {
  const scrollable = [...body.querySelectorAll<HTMLElement>('*')].filter(overflows).find(mayScroll);
  // A phone's scrollbar takes no space; the visible one belongs to the layer above.
  if (scrollable !== undefined) scrollable.style.scrollbarWidth = 'none';
  return scrollable;
}

function overflows({ scrollHeight, clientHeight }: HTMLElement): boolean {
  return clientHeight > 0 && scrollHeight - clientHeight > ROUNDING;
}

function mayScroll(element: HTMLElement): boolean {
  return ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
}
