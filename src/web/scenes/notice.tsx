import styles from './notice.module.css';

type Props = {
  /** Null without a notice. The live region is rendered before its text, so that the text is announced. */
  text: string | null;
  description?: string | null;
  /** Position: the foot of the scene, the middle of an empty screen, or the trip card's stub. */
  at?: 'foot' | 'middle' | 'stub';
};

/** Shows a temporary notice in the scene's type: at the foot of the scene, or on the trip card's paper. Never receives touches. */
export function Notice({ text, description = null, at = 'foot' }: Props) {
  return (
    <div className={styles.notice} data-at={at} role="status">
      {text !== null && (
        <div key={text} className={styles.words}>
          <p dir="auto">{text}</p>
          {description !== null && (
            <p dir="auto" className={styles.description}>
              {description}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
