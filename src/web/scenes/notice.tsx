import styles from './notice.module.css';

type Props = {
  /** Null while there is nothing to say: the live region is there before its words, so that they are announced. */
  text: string | null;
  description?: string | null;
  /** Over the foot of the scene, in the middle of a screen that it has for itself, or on the trip card's stub. */
  at?: 'foot' | 'middle' | 'stub';
};

/** What is said in passing, in the film's own type: over the foot of any scene, in its night; the card's on its own paper. It takes no touch. */
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
