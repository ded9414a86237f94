import { type Fuoco, positionOf } from '../../../../../domain/focus.ts';
import { focusTexts as texts } from '../../../../../texts/admin/focus.ts';
import { thumbnailOf } from '../../../../scenes/sized-picture.ts';
import styles from './focus.module.css';

/** Width and height of the screens that are shown, in CSS pixels. */
const SCREENS = {
  upright: [390, 844],
  lying: [844, 390],
  computer: [1_440, 900],
} as const;

type CropPreviewsProps = { url: string; fuoco: Fuoco | null };

/** What three screens show of the picture, cut as the scene cuts it. */
export function CropPreviews({ url, fuoco }: CropPreviewsProps) {
  return (
    <section className={styles.previews} aria-label={texts.previews}>
      {(['upright', 'lying', 'computer'] as const).map((screen) => (
        <figure key={screen} className={styles.preview}>
          <img
            src={thumbnailOf(url)}
            alt=""
            style={{ aspectRatio: SCREENS[screen].join(' / '), objectPosition: positionOf(fuoco) }}
          />
          <figcaption>{texts.screens[screen]}</figcaption>
        </figure>
      ))}
    </section>
  );
}
