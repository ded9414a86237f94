import { experienceTexts as texts } from '../../texts/experience.ts';
import { ActionButton } from './action.tsx';
import styles from './video-start.module.css';

type Props = {
  video_button_text: string;
  poster_url: string | null;
  /** Enough of the film is loaded for smooth playback. */
  ready: boolean;
  /** On a slow connection, share of the recommended buffer, from 0 to 1; the visitor may start anyway. Else null. */
  filled?: number | null;
  onStart?: () => void;
  /** Fades out after the start; `onFaded` is called at the end. */
  isLeaving?: boolean;
  onFaded?: () => void;
};

/** Shows the poster and the start button. Needs no byte of the film, so the button appears in any network condition. */
export function VideoStart({
  video_button_text,
  poster_url,
  ready,
  filled = null,
  onStart,
  isLeaving = false,
  onFaded,
}: Props) {
  return (
    <section
      className={styles.scene}
      data-leaving={isLeaving}
      inert={isLeaving}
      onAnimationEnd={() => isLeaving && onFaded?.()}
    >
      {poster_url !== null && (
        <>
          <img className={styles.around} src={poster_url} alt="" />
          <img className={styles.poster} src={poster_url} alt="" />
        </>
      )}
      <div className={styles.shade} />
      <div className={styles.call}>
        <ActionButton breathing={ready} disabled={!ready} onClick={onStart}>
          {ready ? <bdi>{video_button_text}</bdi> : texts.preparingVideo}
        </ActionButton>
        <p className={styles.turn}>{texts.turnPhone}</p>
        {ready && filled !== null && (
          <label className={styles.filling}>
            <span>{texts.preparingVideo}</span>
            <progress value={filled} max={1} />
          </label>
        )}
      </div>
    </section>
  );
}
