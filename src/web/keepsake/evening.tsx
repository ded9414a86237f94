import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { KeepsakeView } from '../../contract/visit.ts';
import { MAX_LENGTH } from '../../domain/limits.ts';
import { emphasisRuns } from '../../domain/phrases.ts';
import { toCssPosition } from '../../domain/pictures.ts';
import type { StageContent } from '../../domain/stage-content.ts';
import { keepsakeTexts as texts } from '../../texts/keepsake.ts';
import { isRefused } from '../api/failure.ts';
import { ActionButton, ActionLink } from '../scenes/action.tsx';
import { Emphasis } from '../scenes/golden.tsx';
import { isOneDay } from '../scenes/journey.tsx';
import { coverAttributes } from '../scenes/sized-picture.ts';
import { TicketsView } from '../visitor/experience/tickets-view.tsx';
import { writeBack } from './calls.ts';
import styles from './page.module.css';

type Props = {
  evening: KeepsakeView;
  draft: string | undefined;
  onDraft: (text: string) => void;
  /** Called after the server refused a call. */
  onRefused: () => void;
};

/** Shows the whole evening on one page, from top to bottom. */
export function Evening({ evening, draft, onDraft, onRefused }: Props) {
  const { recipient_name, until, stages } = evening;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className={styles.evening}>
      <header className={styles.header}>
        <h1 dir="auto" ref={title} tabIndex={-1} className={styles.title}>
          {texts.title(recipient_name)}
        </h1>
        <p className={styles.small}>{texts.until(until)}</p>
      </header>
      {stages.map((content) => (
        <Stage key={`${content.stage} ${content.viaggio}`} content={content} evening={evening} />
      ))}
      <WriteBack
        until={until}
        storedReply={evening.reply}
        draft={draft}
        onDraft={onDraft}
        onRefused={onRefused}
      />
    </div>
  );
}

function Stage({ content, evening }: { content: StageContent; evening: KeepsakeView }) {
  switch (content.stage) {
    case 'video':
      return <Film film={content} />;
    case 'destination':
      return (
        <img
          className={styles.picture}
          src={content.immagine_destinazione_url}
          srcSet={coverAttributes(content.immagine_destinazione_url).srcSet}
          sizes="(max-width: 44rem) 100vw, 44rem"
          alt={content.titolo_destinazione}
          style={{ objectPosition: toCssPosition(content.fuoco) }}
        />
      );
    case 'card':
      return <TripCard card={content} hasDays={evening.calendars.includes(content.viaggio)} />;
    case 'questions':
      return <Answers questions={content} evening={evening} />;
    case 'closing':
      return <Phrases texts={content.viaggio === 2 ? content.frasi : [content.frase ?? '']} large />;
    default:
      return <Phrases texts={content.frasi} />;
  }
}

function Phrases({ texts, large = false }: { texts: string[]; large?: boolean }) {
  const said = texts.filter((text) => text !== '');
  if (said.length === 0) return null;
  return (
    <div className={styles.phrases} data-large={large}>
      {/* The order never changes, so the index is a stable key. */}
      {said.map((text, position) => (
        <p dir="auto" key={position}>
          <Emphasis runs={emphasisRuns(text)} />
        </p>
      ))}
    </div>
  );
}

/** Shows the film with the browser's own controls, unlocked. */
function Film({ film }: { film: Extract<StageContent, { stage: 'video' }> }) {
  const { video_url, poster_url, captions, video_playback_rate } = film;
  const player = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (player.current === null) return;
    player.current.defaultPlaybackRate = video_playback_rate;
    player.current.playbackRate = video_playback_rate;
  }, [video_playback_rate]);
  return (
    // Captions are shown if the film has them.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={player}
      className={styles.film}
      src={video_url}
      {...(poster_url !== null && { poster: poster_url })}
      controls
      playsInline
      preload="metadata"
      aria-label={texts.film}
    >
      {captions && (
        <track kind="captions" srcLang="it" label="Italiano" src={captions.url} default={captions.always} />
      )}
    </video>
  );
}

type AnswersProps = { questions: Extract<StageContent, { stage: 'questions' }>; evening: KeepsakeView };

function Answers({ questions: asked, evening }: AnswersProps) {
  const tripAnswers = evening.answers.find(({ viaggio }) => viaggio === asked.viaggio);
  if (tripAnswers === undefined) return null;
  const said = (answer: boolean) => (answer ? texts.yes : texts.no);
  return (
    <dl className={styles.answers}>
      <dt dir="auto">{asked.domanda_1}</dt>
      <dd>{said(tripAnswers.risposta_1)}</dd>
      <dt dir="auto">{asked.domanda_2}</dt>
      <dd>{said(tripAnswers.risposta_2)}</dd>
    </dl>
  );
}

type Card = Extract<StageContent, { stage: 'card' }>;
type TripCardProps = {
  card: Card;
  /** The dates are readable, so that a calendar file exists. */
  hasDays: boolean;
};

/** Shows a trip: destination, dates, tickets and calendar file. */
function TripCard({ card, hasDays }: TripCardProps) {
  const { viaggio, titolo_destinazione, titolo_viaggio, biglietti_url } = card;
  return (
    <section className={styles.card} aria-label={titolo_viaggio}>
      <p dir="auto" className={styles.small}>
        {titolo_viaggio}
      </p>
      <h2 dir="auto" className={styles.destination}>
        {titolo_destinazione}
      </h2>
      <dl className={styles.dates}>
        {daysOf(card).map(([label, day]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{day}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.ways}>
        {biglietti_url !== null && <Tickets trip={card} />}
        {hasDays && (
          <ActionLink quiet href={`/api/keepsake/calendar/${viaggio}/viaggio.ics`}>
            {texts.calendar}
          </ActionLink>
        )}
      </div>
    </section>
  );
}

/** Returns the dates with labels; equal dates appear once, as on the boarding pass. */
function daysOf({ data_partenza, data_ritorno }: Card): [label: string, day: string][] {
  if (isOneDay(data_partenza, data_ritorno)) return [[texts.dayTrip, data_partenza]];
  return [
    [texts.departure, data_partenza],
    [texts.return, data_ritorno],
  ];
}

/** Offers the tickets to download and to view in the page. */
function Tickets({ trip }: { trip: Card }) {
  const address = `/api/keepsake/tickets/${trip.viaggio}/biglietti.pdf`;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionLink href={address} download="biglietti.pdf" target="_blank" rel="noopener">
        {texts.download}
      </ActionLink>
      <ActionButton quiet onClick={() => setOpen(true)}>
        {texts.view}
      </ActionButton>
      {isOpen && <TicketsView trips={[{ ...trip, address }]} onClose={() => setOpen(false)} />}
    </>
  );
}

const replyTexts = texts.reply;

type WriteBackProps = {
  until: string;
  /** The stored reply. */
  storedReply: string | null;
  /** The current draft; undefined before the first edit. */
  draft: string | undefined;
  onDraft: (text: string) => void;
  onRefused: () => void;
};

/** Lets the visitor write to the person who prepared the evening. The text can be changed while the keepsake exists. */
function WriteBack({ until, storedReply, draft = storedReply ?? '', onDraft, onRefused }: WriteBackProps) {
  const id = useId();
  const [stored, setStored] = useState(storedReply);
  const [working, setWorking] = useState(false);
  const [status, setStatus] = useState(storedReply === null ? '' : replyTexts.sent(until));
  const isStored = draft.trim() === (stored ?? '');
  async function submitted(event: FormEvent) {
    event.preventDefault();
    if (working || isStored) return;
    setWorking(true);
    const answer = await writeBack(draft);
    setWorking(false);
    if (answer.ok) {
      const { reply } = answer.value;
      setStored(reply);
      setStatus(reply === null ? replyTexts.deleted : replyTexts.sent(until));
      return;
    }
    setStatus(answer.failure.messaggio);
    if (isRefused(answer.failure)) onRefused();
  }
  return (
    <form method="dialog" className={styles.reply} onSubmit={(event) => void submitted(event)}>
      <h2 className={styles.destination}>{replyTexts.title}</h2>
      <label htmlFor={id}>{replyTexts.label}</label>
      <textarea
        dir="auto"
        id={id}
        rows={5}
        maxLength={MAX_LENGTH.reply}
        value={draft}
        onChange={(event) => onDraft(event.currentTarget.value)}
      />
      <p role="status" className={styles.small}>
        {status}
      </p>
      <ActionButton type="submit" aria-disabled={working || isStored}>
        {working ? replyTexts.sending : stored === null ? replyTexts.send : replyTexts.change}
      </ActionButton>
    </form>
  );
}
