import { useEffect, useRef } from 'react';
import type { KeepsakeView } from '../../contract/keepsake.ts';
import { emphasisRuns } from '../../domain/emphasis.ts';
import { toCssPosition } from '../../domain/focus.ts';
import type { StageContent } from '../../domain/stage-content.ts';
import { keepsakeTexts as texts } from '../../texts/keepsake.ts';
import { Emphasis } from '../scenes/golden.tsx';
import { coverAttributes } from '../scenes/sized-picture.ts';
import styles from './page.module.css';
import { TripCard } from './trip-card.tsx';
import { WriteBack } from './write-back.tsx';

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
