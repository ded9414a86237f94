import { experienceTexts as texts } from '../../texts/experience.ts';
import { ActionButton } from './action.tsx';
import styles from './video-start.module.css';

type Props = {
  video_button_text: string;
  poster_url: string | null;
  /** The film can be played smoothly from here. */
  ready: boolean;
  /** On a slow line: the share (0 to 1) of what should be there first. She may start all the same. */
  filled?: number | null;
  onStart?: () => void;
  /** It dissolves: the film has been started; `onGone` when it has. */
  leaving?: boolean;
  onGone?: () => void;
};

/** The poster and the breathing button over it. It depends on no byte of the film: the button is there whatever the network does. */
export function VideoStart({
  video_button_text,
  poster_url,
  ready,
  filled = null,
  onStart,
  leaving = false,
  onGone,
}: Props) {
  return (
    <section
      className={styles.scene}
      data-leaving={leaving}
      inert={leaving}
      onAnimationEnd={() => leaving && onGone?.()}
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
