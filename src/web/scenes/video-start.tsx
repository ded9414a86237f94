import { experienceTexts as texts } from '../../texts/experience.ts';
import { ActionButton } from './action.tsx';
import styles from './video-start.module.css';

type Props = {
  video_button_text: string;
  poster_url: string | null;
  /** The film can be played smoothly from here. */
  ready: boolean;
  onStart?: () => void;
};

/** The poster and the breathing button over it. It depends on no byte of the film: the button is there whatever the network does. */
export function VideoStart({ video_button_text, poster_url, ready, onStart }: Props) {
  return (
    <section className={styles.scene}>
      {poster_url !== null && <img className={styles.poster} src={poster_url} alt="" />}
      <div className={styles.shade} />
      <div className={styles.call}>
        <ActionButton breathing={ready} disabled={!ready} onClick={onStart}>
          {ready ? video_button_text : texts.preparingVideo}
        </ActionButton>
      </div>
    </section>
  );
}
